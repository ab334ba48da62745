// SPDX-License-Identifier: BSL-1.0
// Parts of a message along lanes: who is in which node and lane, and the verbs as a serial loop would do
// them, on machines with nodes of equal and of different size, in order and interleaved.
#include "support/collective_calls.hpp"
#include "support/collective_policies.hpp"
#include "support/joining.hpp"
#include "support/kept_hierarchy.hpp"
#include "support/verb_checks.hpp"
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/lanes/lane_layout.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace lanes_tests {

using topo_test::call;
using topo_test::check_all_reduce;
using topo_test::complaints;
using topo_test::verbs;

namespace {

using namespace topo;
using topo_test::short_segment, topo_test::verbs_by;

std::vector<verbs> ordered_lanes() {
    return {
        verbs_by<lanes<>>("lanes"),
        verbs_by<lanes<linear, in_order_binary>>("lanes<linear, in_order_binary>"),
        verbs_by<segmented<short_segment, lanes<chain, k_nomial<3>>>>("lanes in segments"),
        verbs_by<lanes<native, native>>("native lanes"),
    };
}

std::vector<verbs> reordering_lanes() {
    return {
        verbs_by<lanes<binary, chain>>("lanes<binary, chain>"),
        verbs_by<segmented<short_segment, lanes<k_ary<3>, binary>>>("lanes in segments, reordering"),
    };
}

/// On which node of a scenario's machine each rank sits: ranks with the same number are on one.
std::vector<int> nodes_of_ranks(const topo_test::scenario& each, int ranks) {
    std::vector<int> result;
    for (const auto& seat : each.rule.seats(each.on, ranks))
        result.push_back(seat.node);
    return result;
}

/// The same, but on a single machine its parts: the innermost package or NUMA node of a rank, else its
/// outermost level, else the rank by itself. A part's number is that of its lowest rank.
std::vector<int> nodes_of(const hierarchy& levels, const topo_test::scenario& each) {
    const auto& world = levels.whole();
    auto nodes = nodes_of_ranks(each, world.size());
    if (levels.whole_info().type != kind::machine &&
        !std::ranges::count(levels.whole_info().also, kind::machine))
        return nodes;
    const level* part = levels.depth() > 0 ? &levels[0] : nullptr;
    for (const level& inside : levels)
        if (inside.is(kind::package) || inside.is(kind::numa_node)) part = &inside;
    int lowest = world.rank();
    if (part != nullptr) MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, part->comm());
    MPI_Allgather(&lowest, 1, MPI_INT, nodes.data(), 1, MPI_INT, world);
    return nodes;
}

/// The ranks on a node, ascending.
std::vector<int> ranks_on(int node, const std::vector<int>& nodes) {
    std::vector<int> result;
    for (std::size_t rank = 0; rank < nodes.size(); ++rank)
        if (nodes[rank] == node) result.push_back(static_cast<int>(rank));
    return result;
}

} // namespace

TEST_CASE("nodes and lanes are those of the machine") {
    const boost::mpi::communicator world;
    for (const auto& each : topo_test::scenarios(world.size())) {
        const hierarchy levels = topo_test::hierarchy_on(world, each);
        auto& layout = detail::context::of(levels).attached<detail::lane_layout>();
        const auto nodes = nodes_of(levels, each);
        const auto mine = ranks_on(nodes[static_cast<std::size_t>(world.rank())], nodes);
        INFO(each.name);
        CHECK(layout.node() == mine);

        std::vector<std::vector<int>> occupied; // in the order of their first ranks
        for (int rank = 0; rank < world.size(); ++rank) {
            const auto members = ranks_on(nodes[static_cast<std::size_t>(rank)], nodes);
            if (members.front() == rank) occupied.push_back(members);
        }
        std::size_t fewest = nodes.size();
        for (const auto& members : occupied)
            fewest = std::min(fewest, members.size());
        CHECK(layout.lanes() == static_cast<int>(fewest));
        CHECK(occupied[static_cast<std::size_t>(layout.node_number())] == mine);
        const auto number = static_cast<std::size_t>(std::ranges::find(mine, world.rank()) - mine.begin());
        CHECK(layout.number() == static_cast<int>(number));
        std::vector<int> lane;
        for (const auto& members : occupied)
            if (number < fewest) lane.push_back(members[number]);
        CHECK(layout.lane() == lane);
    }
}

TEST_CASE("a rank without a machine is a node by itself") {
    const boost::mpi::communicator world;
    hierarchy_options options;
    options.skip = {kind::machine};
    const hierarchy levels{world, machine::parse("node:2 package:2 core:2"), placement::core_by_core(),
                           options};
    auto& layout = detail::context::of(levels).attached<detail::lane_layout>();
    CHECK(layout.lanes() == 1);
    CHECK(layout.node() == std::vector{world.rank()});
    std::vector<int> all(static_cast<std::size_t>(world.size()));
    std::iota(all.begin(), all.end(), 0);
    CHECK(layout.lane() == all);
}

TEST_CASE("nodes stay nodes where only what is inside them is in no order of ranks") {
    // Packages in turn inside nodes that hold consecutive ranks.
    const boost::mpi::communicator world;
    if (world.size() != 8) return;
    std::vector<seat> seats;
    for (int rank = 0; rank < 8; ++rank)
        seats.push_back({rank / 4, topo_test::cpus(rank % 2, rank % 2)});
    const hierarchy levels{world, machine::parse("node:2 package:2 core:1"), placement::list(seats)};
    auto& ordered = detail::context::of(levels).in_rank_order();
    CHECK(&ordered != &detail::context::of(levels));
    const int first = world.rank() / 4 * 4;
    CHECK(ordered.attached<detail::lane_layout>().node() ==
          std::vector{first, first + 1, first + 2, first + 3});
}

TEST_CASE("ranks of one part are a node where only some of them have a smaller part in the order of ranks") {
    // Rank 1 sits on a NUMA node of its own, between the ranks of the other, which is no interval.
    const boost::mpi::communicator world;
    if (world.size() < 3) return;
    std::vector<seat> seats(static_cast<std::size_t>(world.size()), seat{0, topo_test::cpus(0, 0)});
    seats[1] = {0, topo_test::cpus(1, 1)};
    const hierarchy levels{world, machine::parse("package:1 numa:2 core:1"), placement::list(seats)};
    auto& ordered = detail::context::of(levels).in_rank_order();
    std::vector<int> all(static_cast<std::size_t>(world.size()));
    std::iota(all.begin(), all.end(), 0);
    CHECK(ordered.attached<detail::lane_layout>().node() == all);

    const topo_test::joining<topo_test::word> words{&topo_test::word_of};
    complaints wrong;
    for (const verbs& by : ordered_lanes())
        words.check(levels, by, 6, wrong);
    INFO(wrong.text());
    CHECK(wrong.text().empty());
}

TEST_CASE("verbs along lanes, on every machine, from every root") {
    const boost::mpi::communicator world;
    auto policies = ordered_lanes();
    std::ranges::move(reordering_lanes(), std::back_inserter(policies));
    std::uint64_t calls = 0;
    for (const auto& each : topo_test::scenarios(world.size())) {
        const hierarchy levels = topo_test::hierarchy_on(world, each);
        for (const verbs& by : policies) {
            complaints wrong;
            for (const std::size_t count : {0U, 1U, 3U, 7U, 150U}) {
                for (const int root : topo_test::roots(world.size())) {
                    const call now{levels, by, root, count, ++calls, wrong};
                    if (calls % topo_test::sampling(world) != 0) continue;
                    check_broadcast(now);
                    check_reduce(now);
                    check_reduce_in_place(now);
                }
                check_all_reduce({levels, by, 0, count, ++calls, wrong});
            }
            INFO(each.name << ", " << by.name << ": " << wrong.text());
            CHECK(wrong.text().empty());
        }
    }
}

TEST_CASE("operands meet in the order of ranks along lanes, wherever the ranks are") {
    const boost::mpi::communicator world;
    const topo_test::joining<topo_test::word> words{&topo_test::word_of};
    const topo_test::joining<topo_test::affine> maps{&topo_test::affine_of};
    std::size_t combinations = 0;
    for (const auto& each : topo_test::scenarios(world.size())) {
        const hierarchy levels = topo_test::hierarchy_on(world, each);
        for (const verbs& by : ordered_lanes()) {
            if (++combinations % topo_test::stride != 0) continue;
            complaints wrong;
            if (world.size() <= 64) words.check(levels, by, 5, wrong);
            maps.check(levels, by, 75, wrong);
            INFO(each.name << ": " << wrong.text());
            CHECK(wrong.text().empty());
        }
    }
}

TEST_CASE("lanes on random machines with ranks bound anywhere") {
    const boost::mpi::communicator world;
    const topo_test::joining<topo_test::word> words{&topo_test::word_of};
    const auto policies = ordered_lanes();
    for (std::uint32_t seed = 300; seed < 330; seed += static_cast<std::uint32_t>(topo_test::stride)) {
        const auto each = topo_test::random_scenario(seed, world.size());
        const hierarchy levels{world, each.on, each.rule, topo_test::random_options(seed)};
        const verbs& by = policies[seed % policies.size()];
        complaints wrong;
        const int root = static_cast<int>(seed) % world.size();
        const call now{levels, by, root, 1 + seed % 90, seed, wrong};
        check_broadcast(now);
        check_reduce(now);
        check_all_reduce(now);
        if (world.size() <= 64 && seed % 3 == 0) words.check(levels, by, 4, wrong);
        INFO(each.name << ": " << wrong.text());
        CHECK(wrong.text().empty());
    }
}

} // namespace lanes_tests
