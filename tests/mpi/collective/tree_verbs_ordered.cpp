// SPDX-License-Identifier: BSL-1.0
// Operations that are not commutative meet their operands in the order of ranks, whatever the placement.
#include "support/check_fails.hpp"
#include "support/collective_calls.hpp"
#include "support/collective_policies.hpp"
#include "support/joining.hpp"
#include "support/kept_hierarchy.hpp"
#include <topomp/core/handle.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tree_verbs_ordered_tests {

using topo_test::affine;
using topo_test::affine_of;
using topo_test::complaints;
using topo_test::joining;
using topo_test::verbs;
using topo_test::word;
using topo_test::word_of;

TEST_CASE("operands meet in the order of ranks, on every machine, at every root") {
    const boost::mpi::communicator world;
    const joining<word> words{&word_of};
    const joining<affine> maps{&affine_of};
    for (const auto& comm : topo_test::communicators(world)) {
        std::size_t combinations = 0; // of this communicator's ranks
        for (const auto& each : topo_test::scenarios(comm.size())) {
            const topo::hierarchy levels{comm, each.on, each.rule};
            for (const verbs& by : topo_test::ordered_policies()) {
                if (++combinations % topo_test::sampling(world) != 0) continue;
                complaints wrong;
                words.check(levels, by, 1, wrong);
                words.check(levels, by, 6, wrong);
                maps.check(levels, by, 0, wrong);
                maps.check(levels, by, 9 * topo_test::short_segment / sizeof(affine) + 3, wrong);
                INFO(each.name << ", " << comm.size() << " ranks: " << wrong.text());
                CHECK(wrong.text().empty());
            }
        }
    }
}

TEST_CASE("so they do on random machines with ranks bound anywhere") {
    const boost::mpi::communicator world;
    const joining<word> words{&word_of};
    const auto policies = topo_test::ordered_policies();
    for (std::uint32_t seed = 200; seed < 222;
         seed += 1 + static_cast<std::uint32_t>(topo_test::sampling(world)) / 4) {
        const auto each = topo_test::random_scenario(seed, world.size());
        const topo::hierarchy levels{world, each.on, each.rule, topo_test::random_options(seed)};
        complaints wrong;
        words.check(levels, policies[seed % policies.size()], 3, wrong);
        INFO(each.name << ": " << wrong.text());
        CHECK(wrong.text().empty());
    }
}

TEST_CASE("long operands whose policy is chosen") {
    const boost::mpi::communicator world;
    const joining<affine> maps{&affine_of};
    const auto by = topo_test::verbs_by<topo::automatic>("automatic");
    const auto all = topo_test::scenarios(world.size());
    for (const std::size_t chosen : {std::size_t{0}, std::size_t{3}, std::size_t{7}}) {
        if (world.size() > 16 && chosen != 7) continue;
        const topo::hierarchy levels = topo_test::hierarchy_on(world, all[chosen]);
        complaints wrong;
        maps.check(levels, by, 5 * 32768 / sizeof(affine) + 1, wrong);
        INFO(all[chosen].name << ": " << wrong.text());
        CHECK(wrong.text().empty());
    }
}

TEST_CASE("a policy that would reorder operands is refused on every rank, before anything is sent") {
    const boost::mpi::communicator world;
    const joining<affine> maps{&affine_of};
    const topo::hierarchy levels{world, topo::machine::parse("node:2 package:2 core:2"),
                                 topo::placement::core_by_core()};
    for (const verbs& by : topo_test::reordering_policies()) {
        INFO(by.name);
        affine mine, result;
        topo_test::check_fails<topo::argument_error>(
            [&] {
                by.reduce(levels, &mine, {&result, 1, maps.type()}, maps.op(), 0);
            },
            {"topo::reduce", "operation", "not commutative", "in_order_binary"});
        topo_test::check_fails<topo::argument_error>(
            [&] {
                by.all_reduce(levels, &mine, {&result, 1, maps.type()}, maps.op());
            },
            {"topo::all_reduce", "operation", "not commutative", "in_order_binary"});
    }
    complaints wrong;
    maps.check(levels, topo_test::verbs_by<topo::linear>("linear"), 2, wrong);
    CHECK(wrong.text().empty());
}

} // namespace tree_verbs_ordered_tests
