// SPDX-License-Identifier: BSL-1.0
// Broadcasts whose halves go down two trees, at every level, at some, or among nodes, on every machine, from
// every root.
#include "support/collective_calls.hpp"
#include "support/collective_policies.hpp"
#include "support/kept_hierarchy.hpp"
#include "support/verb_checks.hpp"
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace split_binary_tests {

using topo_test::call;
using topo_test::complaints;
using topo_test::verbs;

namespace {

using namespace topo;
using topo_test::short_segment, topo_test::verbs_by;

std::vector<verbs> split_policies() {
    return {
        verbs_by<split_binary>("split binary"),
        verbs_by<segmented<short_segment, split_binary>>("split binary in segments"),
        verbs_by<per_level<on<kind::machine, linear>, otherwise<split_binary>>>(
            "split binary at some levels"),
        verbs_by<
            segmented<short_segment, per_level<on<kind::cluster, split_binary>,
                                               on<kind::network_switch, split_binary>, otherwise<binary>>>>(
            "split binary between nodes, in segments"),
        verbs_by<segmented<short_segment, two_tree>>("two_tree in segments"),
        verbs_by<two_levels<two_tree>>("two_tree among nodes"),
        verbs_by<segmented<short_segment, two_levels<two_tree, binomial>>>(
            "two_tree among nodes, in segments"),
        verbs_by<two_levels<split_binary, linear>>("split binary among nodes"),
    };
}

} // namespace

TEST_CASE("halves of any length, on every machine, from every root") {
    const boost::mpi::communicator world;
    const auto policies = split_policies();
    std::uint64_t calls = 0;
    for (const auto& each : topo_test::scenarios(world.size())) {
        const hierarchy levels = topo_test::hierarchy_on(world, each);
        for (const verbs& by : policies) {
            complaints wrong;
            for (const std::size_t count : {0U, 1U, 2U, 3U, 8U, 17U, 150U, 151U})
                for (const int root : topo_test::roots(world.size())) {
                    const call now{levels, by, root, count, ++calls, wrong};
                    if (calls % topo_test::stride == 0) check_broadcast(now);
                }
            INFO(each.name << ", " << by.name << ": " << wrong.text());
            CHECK(wrong.text().empty());
        }
    }
}

TEST_CASE("among any number of ranks that are on one level") {
    const boost::mpi::communicator world;
    for (int size = 1; size <= world.size(); ++size) {
        const auto part = world.split(world.rank() < size ? 0 : 1);
        if (world.rank() >= size) continue;
        const hierarchy levels{part, machine::parse("node:1 core:64"), placement::core_by_core()};
        complaints wrong;
        for (const verbs& by : split_policies())
            for (const std::size_t count : {1U, 5U, 75U})
                for (int root = 0; root<size; root += size> 16 ? 7 : 1)
                    check_broadcast(
                        call{levels, by, root, count, count * 1000 + static_cast<std::size_t>(root), wrong});
        INFO(size << " ranks: " << wrong.text());
        CHECK(wrong.text().empty());
    }
}

} // namespace split_binary_tests
