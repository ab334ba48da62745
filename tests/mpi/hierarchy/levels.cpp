// SPDX-License-Identifier: BSL-1.0
// The communicators of a hierarchy are the ones that the ranks' places ask for, on all kinds of made-up
// machines.
#include "support/check_levels.hpp"
#include "support/made_up.hpp"
#include <topomp/core/error.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace levels_tests {

using topo::kind;
using topo_test::members;

TEST_CASE("the levels are those of the outline, all at once and step by step") {
    const boost::mpi::communicator world;
    for (const auto& each : topo_test::scenarios(world.size())) {
        INFO(each.name);
        const topo::hierarchy levels{world, each.on, each.rule};
        topo_test::check_levels(world, levels, topo::places_of(each.on, each.rule, world.size()));
        topo_test::check_step_by_step(levels);
    }
}

TEST_CASE("ranks may come in any order and give their own places") {
    const boost::mpi::communicator world;
    const boost::mpi::communicator backwards = world.split(0, -world.rank());
    const auto on = topo::machine::parse("switch:2 node:2 package:2 core:2");
    auto places = topo::places_of(on, topo::placement::round_robin(), world.size());
    const topo::hierarchy levels{backwards, places[static_cast<std::size_t>(backwards.rank())]};
    topo_test::check_levels(backwards, levels, places);
    topo_test::check_step_by_step(levels);
}

TEST_CASE("a level that the calling rank has not is refused") {
    const boost::mpi::communicator world;
    for (const auto& each : topo_test::scenarios(world.size())) {
        INFO(each.name);
        const topo::hierarchy levels{world, each.on, each.rule};
        const int depth = levels.depth();
        const std::string has = "topo::hierarchy: level " + std::to_string(depth) + ": rank " +
                                std::to_string(world.rank()) + " has " + std::to_string(depth) + " levels";
        CHECK_THROWS_WITH_AS(levels[depth], doctest::Contains(has.c_str()), topo::argument_error);
        CHECK_THROWS_WITH_AS(levels.node(depth + 1), doctest::Contains(has.c_str()), topo::argument_error);
        CHECK_THROWS_AS(levels[-1], topo::argument_error);
    }
}

TEST_CASE("options choose the levels") {
    const boost::mpi::communicator world;
    const std::vector<topo::hierarchy_options> choices{
        {.only = {kind::machine}},
        {.only = {kind::core}},
        {.only = {kind::network_switch, kind::l2_cache}},
        {.skip = {kind::machine, kind::package}},
        {.skip = {kind::core, kind::pu}},
        {.only = {kind::machine, kind::core}, .skip = {kind::machine}},
        {.max_depth = 1},
        {.max_depth = 0},
        {.only = {kind::die}},
    };
    std::size_t turn = 0;
    for (const auto& each : topo_test::scenarios(world.size())) {
        const auto places = topo::places_of(each.on, each.rule, world.size());
        for (const auto& options : choices) {
            if (turn++ % topo_test::stride != 0) continue; // nine choices: each machine gets another one
            INFO(each.name << ", choice " << &options - choices.data());
            const topo::hierarchy levels{world, each.on, each.rule, options};
            topo_test::check_levels(world, levels, places, options);
            topo_test::check_step_by_step(levels, options);
        }
    }
}

TEST_CASE("random machines and bindings") {
    const boost::mpi::communicator world;
    for (std::uint32_t seed = 1; seed <= 48; seed += topo_test::stride) {
        const auto each = topo_test::random_scenario(seed, world.size());
        const auto options = topo_test::random_options(seed);
        INFO(each.name);
        const topo::hierarchy levels{world, each.on, each.rule, options};
        topo_test::check_levels(world, levels, topo::places_of(each.on, each.rule, world.size()), options);
        topo_test::check_step_by_step(levels, options);
    }
}

namespace {

/// The node of paper 1's section 5: eight cores, two to an L1 and L2 cache, four to an L3 cache.
const std::string paper_node = "package:2 numa:1 l3:1 l2:2 l1:1 core:2";

/// The ranks `first`, `first + step`, ..., `count` of them.
std::vector<int> every(int first, int step, int count) {
    std::vector<int> ranks;
    for (int i = 0; i < count; ++i)
        ranks.push_back(first + i * step);
    return ranks;
}

void check_roots(const topo::hierarchy& levels, int depth, const std::vector<int>& expected) {
    const bool is_root = levels.whole().rank() == levels[depth].info().root;
    CHECK((MPI_Comm(levels[depth].roots()) != MPI_COMM_NULL) == is_root);
    if (MPI_Comm(levels[depth].roots()) != MPI_COMM_NULL)
        CHECK(members(levels[depth].roots(), levels.whole()) == expected);
}

bool in_order(const topo::level& each, const std::vector<int>& expected, const topo::hierarchy& levels) {
    return members(each.comm(), levels.whole()) == expected;
}

void check_section_5_1(const boost::mpi::communicator& comm) {
    const int rank = comm.rank();
    const topo::hierarchy levels{comm, topo::machine::parse("node:4 " + paper_node),
                                 topo::placement::core_by_core()};
    CHECK(levels.whole_info().type == kind::cluster);
    CHECK(levels.max_depth() == 4);
    CHECK(levels.depth() == 4);
    if (levels.depth() != 4) return;

    CHECK(levels[0].type() == kind::machine); // step 1
    CHECK(levels[0].also().empty());
    CHECK(in_order(levels[0], every(rank / 8 * 8, 1, 8), levels));
    CHECK(levels[0].index() == rank / 8);
    CHECK(levels[0].count() == 4);
    check_roots(levels, 0, {0, 8, 16, 24});

    CHECK(levels[1].type() == kind::l3_cache); // step 2
    CHECK(levels[1].is(kind::package));
    CHECK(levels[1].is(kind::numa_node));
    CHECK(levels[1].also().size() == 2);
    CHECK(in_order(levels[1], every(rank / 4 * 4, 1, 4), levels));
    CHECK(levels[1].index() == rank / 4 % 2);
    CHECK(levels[1].count() == 2);
    check_roots(levels, 1, every(rank / 8 * 8, 4, 2));

    CHECK(levels[2].type() == kind::l1_cache); // step 3
    CHECK(levels[2].also() == std::vector{kind::l2_cache});
    CHECK(in_order(levels[2], every(rank / 2 * 2, 1, 2), levels));
    CHECK(levels[2].count() == 2);
    check_roots(levels, 2, every(rank / 4 * 4, 2, 2));

    CHECK(levels[3].type() == kind::core); // step 4; step 5 is that there is no further one
    CHECK(levels[3].also() == std::vector{kind::pu});
    CHECK(topo_test::compare(levels[3].comm(), MPI_COMM_SELF) == MPI_CONGRUENT);
    CHECK(levels[3].count() == 2);
    check_roots(levels, 3, every(rank / 2 * 2, 1, 2));
    topo_test::check_step_by_step(levels);
}

void check_section_5_2(const boost::mpi::communicator& comm) {
    using topo_test::cpus;
    const int rank = comm.rank();
    const std::vector<topo::seat> seats{{0, cpus(0, 0)}, {0, cpus(1, 1)}, {0, cpus(2, 3)}, {0, cpus(2, 3)},
                                        {0, cpus(4, 7)}, {0, cpus(4, 7)}, {0, cpus(4, 7)}, {0, cpus(4, 7)}};
    const topo::hierarchy levels{comm, topo::machine::parse(paper_node), topo::placement::list(seats)};
    const int expected_depth = rank < 2 ? 3 : rank < 4 ? 2 : 1;
    CHECK(levels.whole_info().type == kind::machine);
    CHECK(levels.max_depth() == 3);
    CHECK(levels.depth() == expected_depth);
    if (levels.depth() != expected_depth) return;

    CHECK(levels[0].type() == kind::l3_cache); // step 1
    CHECK(in_order(levels[0], every(rank / 4 * 4, 1, 4), levels));
    CHECK(levels[0].count() == 2);
    check_roots(levels, 0, {0, 4});
    if (rank >= 4) return;

    CHECK(levels[1].type() == kind::l1_cache); // step 2
    CHECK(in_order(levels[1], every(rank / 2 * 2, 1, 2), levels));
    CHECK(levels[1].count() == 2);
    check_roots(levels, 1, {0, 2});
    if (rank >= 2) return;

    CHECK(levels[2].type() == kind::core); // step 3; step 4 is that there is no further one
    CHECK(in_order(levels[2], {rank}, levels));
    CHECK(levels[2].count() == 2);
    check_roots(levels, 2, {0, 1});
}

} // namespace

TEST_CASE("paper 1, section 5.1: 32 ranks on four nodes") {
    const boost::mpi::communicator world;
    const bool is_in = world.size() >= 32 && world.rank() < 32;
    const boost::mpi::communicator first = world.split(is_in ? 0 : 1);
    if (is_in) check_section_5_1(first);
}

TEST_CASE("paper 1, section 5.2: eight ranks that are bound differently") {
    const boost::mpi::communicator world;
    const bool is_in = world.size() >= 8 && world.rank() < 8;
    const boost::mpi::communicator first = world.split(is_in ? 0 : 1);
    if (is_in) check_section_5_2(first);
}

} // namespace levels_tests
