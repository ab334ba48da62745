// SPDX-License-Identifier: BSL-1.0
// Communicators for graphs on made-up machines: against the lists that were given, and MPI's own graphs.
#include "support/complaint.hpp"
#include "support/made_up.hpp"
#include "support/open_handles.hpp"
#include <topomp/hierarchy/remap.hpp>
#include <topomp/mapping/graph.hpp>
#include <topomp/mapping/node_cart.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace graph_tests {

using boost::mpi::communicator;
using topo::graph;
using topo::graph_options;
using topo::reordering;

namespace {

/// What one rank says.
struct said {
    std::optional<std::vector<int>> neighbours; ///< nothing: stays out
    std::vector<std::int64_t> weights{};
    reordering reorder = reordering::allowed;
};

/// What all ranks say: known to the test everywhere, to the library each rank's own only.
struct pattern {
    std::string name;
    std::vector<said> ranks;
};

pattern ring_with_strides(int size) { // links between ranks that are far from each other
    pattern result{"strides", {}};
    for (int rank = 0; rank < size; ++rank)
        result.ranks.push_back({{{(rank + size / 2) % size, (rank + 1) % size, (rank + size / 2) % size}}});
    return result;
}

pattern star(int size) { // no rank names rank size - 1
    pattern result{"star", std::vector<said>(static_cast<std::size_t>(size), said{{{}}})};
    for (int rank = 0; rank < size; ++rank)
        result.ranks.back().neighbours->push_back(rank); // itself too
    return result;
}

pattern random_pattern(std::uint32_t seed, int size) {
    topo_test::dice roll{seed};
    pattern result{"seed " + std::to_string(seed), {}};
    const bool has_weights = roll.one_in(2);
    std::vector<int> present;
    for (int rank = 0; rank < size; ++rank)
        if (!roll.one_in(4)) present.push_back(rank);
    for (int rank = 0; rank < size; ++rank) {
        said& each = result.ranks.emplace_back();
        each.reorder = roll.one_in(4) ? reordering::off : reordering::allowed;
        if (std::ranges::find(present, rank) == present.end()) continue;
        each.neighbours.emplace();
        for (int i = roll.up_to(6); i > 0; --i) {
            each.neighbours->push_back(
                present[static_cast<std::size_t>(roll.up_to(static_cast<int>(present.size()) - 1))]);
            if (has_weights) each.weights.push_back(1 + roll.up_to(9));
        }
    }
    return result;
}

pattern without_links(int size) { return {"no links", std::vector<said>(static_cast<std::size_t>(size))}; }

std::vector<pattern> patterns(int size) {
    std::vector<pattern> result{ring_with_strides(size), star(size), without_links(size)};
    for (std::uint32_t seed = 0; seed < 8; seed += topo_test::stride)
        result.push_back(random_pattern(seed, size));
    return result;
}

graph made_of(const topo::hierarchy& levels, const pattern& wanted, graph_options options = {}) {
    const said& mine = wanted.ranks[static_cast<std::size_t>(levels.whole().rank())];
    options.weights = mine.weights;
    options.reorder = mine.reorder;
    if (!mine.neighbours) return {levels, std::nullopt, options};
    return {levels, *mine.neighbours, options};
}

/// The vertices, worked out from what all said: the old rank of each, and the load of each link.
struct expectation {
    std::vector<int> old_ranks;
    std::vector<std::vector<std::pair<int, std::int64_t>>> out; ///< in the order in which they were said
    std::vector<std::map<int, std::int64_t>> in;
};

expectation expected(const pattern& wanted) {
    expectation result;
    std::vector<int> vertex(wanted.ranks.size(), -1);
    for (std::size_t rank = 0; rank < wanted.ranks.size(); ++rank)
        if (wanted.ranks[rank].neighbours) {
            vertex[rank] = static_cast<int>(result.old_ranks.size());
            result.old_ranks.push_back(static_cast<int>(rank));
        }
    result.out.resize(result.old_ranks.size());
    result.in.resize(result.old_ranks.size());
    for (std::size_t v = 0; v < result.out.size(); ++v) {
        const said& each = wanted.ranks[static_cast<std::size_t>(result.old_ranks[v])];
        for (std::size_t i = 0; i < each.neighbours->size(); ++i) {
            const int to = vertex[static_cast<std::size_t>((*each.neighbours)[i])];
            const std::int64_t weight = each.weights.empty() ? 1 : each.weights[i];
            auto& list = result.out[v];
            const auto known = std::ranges::find(list, to, &std::pair<int, std::int64_t>::first);
            if (known == list.end())
                list.emplace_back(to, weight);
            else
                known->second += weight;
            result.in[static_cast<std::size_t>(to)][static_cast<int>(v)] += weight;
        }
    }
    return result;
}

/// The node of each rank of the old communicator, as any numbers.
std::vector<int> nodes_of_ranks(const topo_test::scenario& each, int size) {
    std::vector<int> nodes;
    for (const auto& seat : each.rule.seats(each.on, size))
        nodes.push_back(seat.node);
    return nodes;
}

/// What an order of the vertices costs, link by link.
topo::mapping_cost counted(const expectation& all, const std::vector<int>& nodes,
                           const std::vector<int>& owner) {
    std::map<int, std::int64_t> sent;
    for (std::size_t v = 0; v < owner.size(); ++v)
        for (const auto& [to, weight] : all.out[v]) {
            const int here = nodes[static_cast<std::size_t>(owner[v])];
            const int there = nodes[static_cast<std::size_t>(owner[static_cast<std::size_t>(to)])];
            if (here != there) sent[here] += weight;
        }
    topo::mapping_cost cost;
    for (const auto& [node, load] : sent) {
        cost.jsum += load;
        cost.jmax = std::max(cost.jmax, load);
    }
    return cost;
}

void check_plan(const graph& made, const pattern& wanted, const expectation& all,
                const std::vector<int>& nodes, int old_rank) {
    const auto& owner = made.plan().owner;
    REQUIRE(made.size() == static_cast<int>(all.old_ranks.size()));
    std::vector<int> sorted = owner;
    std::ranges::sort(sorted);
    CHECK(sorted == all.old_ranks);
    for (std::size_t v = 0; v < owner.size(); ++v) {
        const auto rank = static_cast<std::size_t>(all.old_ranks[v]);
        if (wanted.ranks[rank].reorder == reordering::off) CHECK(owner[v] == all.old_ranks[v]);
        CHECK(made.old_rank(static_cast<int>(v)) == owner[v]);
        CHECK(made.new_rank(owner[v]) == static_cast<int>(v));
    }
    CHECK(made.plan().now.cost == counted(all, nodes, owner));
    CHECK(made.plan().blocked.cost == counted(all, nodes, all.old_ranks));
    const bool is_in = wanted.ranks[static_cast<std::size_t>(old_rank)].neighbours.has_value();
    CHECK(static_cast<bool>(made) == is_in);
    if (!is_in) {
        CHECK(MPI_Comm(made) == MPI_COMM_NULL);
        CHECK(!made.new_rank(old_rank));
        CHECK(made.destinations().empty());
        return;
    }
    CHECK(made.new_rank(old_rank) == made.rank());
    CHECK(made.comm().rank() == made.rank());
    CHECK(made.comm().size() == made.size());
}

/// The neighbours are those that the old rank with this vertex's number named, not those that this process
/// did.
void check_neighbours(const graph& made, const expectation& all, const std::vector<int>& nodes) {
    const auto mine = static_cast<std::size_t>(made.rank());
    std::vector<std::pair<int, std::int64_t>> out;
    std::map<int, std::int64_t> in;
    for (std::size_t i = 0; i < made.destinations().size(); ++i)
        out.emplace_back(made.destinations()[i], made.destination_weights()[i]);
    for (std::size_t i = 0; i < made.sources().size(); ++i)
        in[made.sources()[i]] = made.source_weights()[i];
    CHECK(out == all.out[mine]);
    CHECK(in == all.in[mine]);
    CHECK(in.size() == made.sources().size());
    CHECK(std::ranges::is_sorted(made.sources()));
    const auto node_of = [&](int vertex) {
        return nodes[static_cast<std::size_t>(made.plan().owner[static_cast<std::size_t>(vertex)])];
    };
    int here = 0;
    for (int vertex = 0; vertex < made.size(); ++vertex)
        CHECK(made.is_on_node(vertex) == (node_of(vertex) == node_of(made.rank())));
    for (const auto& [to, weight] : all.out[mine])
        if (to != made.rank() && node_of(to) == node_of(made.rank())) ++here;
    CHECK(made.partners_on_node() == here);
}

#ifndef SMPI_H // which has no distributed graphs
/// MPI knows the same neighbours, in the same order, and carries data to them.
void check_against_mpi(const graph& made) {
    int status = MPI_UNDEFINED, sources = 0, destinations = 0, weighted = 0;
    MPI_Topo_test(made, &status);
    CHECK(status == MPI_DIST_GRAPH);
    MPI_Dist_graph_neighbors_count(made, &sources, &destinations, &weighted);
    REQUIRE(sources == static_cast<int>(made.sources().size()));
    REQUIRE(destinations == static_cast<int>(made.destinations().size()));
    CHECK(weighted != 0);
    std::vector<int> from(made.sources().size() + 1), to(made.destinations().size() + 1);
    std::vector<int> from_weights(from.size()), to_weights(to.size());
    MPI_Dist_graph_neighbors(made, sources, from.data(), from_weights.data(), destinations, to.data(),
                             to_weights.data());
    std::vector<int> out(to.size()), in(from.size(), -1);
    for (std::size_t i = 0; i < made.destinations().size(); ++i) {
        CHECK(to[i] == made.destinations()[i]);
        CHECK(to_weights[i] == made.destination_weights()[i]);
        out[i] = 100 * made.rank() + to[i];
    }
    MPI_Neighbor_alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, made);
    for (std::size_t i = 0; i < made.sources().size(); ++i) {
        CHECK(from[i] == made.sources()[i]);
        CHECK(from_weights[i] == made.source_weights()[i]);
        CHECK(in[i] == 100 * made.sources()[i] + made.rank());
    }
}
#endif

void check(const graph& made, const pattern& wanted, const topo_test::scenario& each, int old_rank) {
    const expectation all = expected(wanted);
    const auto nodes = nodes_of_ranks(each, static_cast<int>(wanted.ranks.size()));
    check_plan(made, wanted, all, nodes, old_rank);
    if (!made) return;
    check_neighbours(made, all, nodes);
#ifndef SMPI_H
    check_against_mpi(made);
#endif
}

} // namespace

TEST_CASE("a graph has its neighbours where the plan says, and MPI agrees") {
    const communicator world;
    for (const auto& each : topo_test::few_scenarios_of_many(world.size())) {
        INFO(each.name);
        const topo::hierarchy levels{world, each.on, each.rule};
        for (const auto& wanted : patterns(world.size())) {
            INFO(wanted.name);
            for (const auto goal : {topo::mapping_goal::total, topo::mapping_goal::greatest}) {
                graph_options options;
                options.first = goal;
                const graph made = made_of(levels, wanted, options);
                check(made, wanted, each, world.rank());
                CHECK(!topo::detail::is_lower(made.plan().blocked.cost, made.plan().now.cost, goal));
            }
        }
    }
}

TEST_CASE("algorithms and effort are hints, and more effort costs no more") {
    const communicator world;
    const auto each = topo_test::scenarios(world.size())[4]; // interleaved
    const topo::hierarchy levels{world, each.on, each.rule};
    const pattern wanted = ring_with_strides(world.size());
    graph_options options;
    for (const auto algorithm : {topo::graph_algorithm::blocked, topo::graph_algorithm::growth}) {
        options.algorithm = algorithm;
        const graph made = made_of(levels, wanted, options);
        check(made, wanted, each, world.rank());
        CHECK(made.plan().algorithm == algorithm);
        CHECK((algorithm == topo::graph_algorithm::growth || made.old_rank(0) == 0));
    }
    options.algorithm = topo::graph_algorithm::automatic;
    std::optional<topo::mapping_cost> less;
    for (const auto effort :
         {topo::mapping_effort::little, topo::mapping_effort::usual, topo::mapping_effort::much}) {
        options.effort = effort;
        const graph made = made_of(levels, wanted, options);
        check(made, wanted, each, world.rank());
        if (less) CHECK(!topo::detail::is_lower(*less, made.plan().now.cost, options.first));
        less = made.plan().now.cost;
    }
}

TEST_CASE("pairs that were far apart come to one node, with the data that belongs to them") {
    const communicator world;
    if (world.size() % 4 != 0) return;
    // Rank r and r + half: on nodes of two, all are apart.
    const topo::hierarchy levels{world,
                                 topo::machine::parse("node:" + std::to_string(world.size() / 2) + " core:2"),
                                 topo::placement::core_by_core()};
    const int half = world.size() / 2;
    const graph pairs{levels, {(world.rank() + half) % world.size()}};
    CHECK(pairs.plan().blocked.cost.jsum == world.size());
    CHECK(pairs.plan().now.cost.jsum == 0);
    CHECK(pairs.partners_on_node() == 1);
    const auto along = topo::remap(world, pairs);
    std::array<int, 1> in{1000 + world.rank()}, out{};
    topo::permute(along, in, out);
    CHECK(out[0] == 1000 + pairs.rank());
    CHECK(pairs.destinations() == std::vector{(pairs.rank() + half) % world.size()});
    // No rank sends data to ranks that stayed out.
    const graph some = world.rank() == 0 ? graph{levels, std::nullopt} : graph{levels, {}};
    const auto shifted = topo::remap(world, some);
    out[0] = -1;
    topo::permute(shifted, in, out);
    CHECK(out[0] == (some ? 1000 + some.rank() : -1));
}

TEST_CASE("a communicator's own nodes are found, and graphs share them with grids") {
    //! [graph]
    const boost::mpi::communicator world;
    const int next = (world.rank() + 1) % world.size();
    const topo::graph ring{world, {next, next, 0}}; // twice the load to the next one, and some to the first
    const std::vector<int>& to =
        ring.destinations(); // in the new numbers; ring.sources() found out who sends
    //! [graph]
    CHECK(to.front() == (ring.rank() + 1) % world.size());
    CHECK(std::ranges::find(ring.sources(), (ring.rank() + world.size() - 1) % world.size()) !=
          ring.sources().end());
    const topo::node_cart grid{world, {0, 0}};
    const graph again{world, {next, next, 0}};
    CHECK(again.plan().owner == ring.plan().owner);
    CHECK(again.plan().node == ring.plan().node);
}

TEST_CASE("weights beyond an int are cut off for MPI only") {
    const communicator world;
    graph_options options;
    options.weights = {std::int64_t{1} << 40};
    const graph heavy{world, {0}, options};
    CHECK(heavy.destination_weights() == options.weights);
#ifndef SMPI_H
    std::vector<int> from(static_cast<std::size_t>(world.size())), weights(from.size());
    int to = 0, weight = 0;
    MPI_Dist_graph_neighbors(heavy, static_cast<int>(heavy.sources().size()), from.data(), weights.data(), 1,
                             &to, &weight);
    CHECK(weight == std::numeric_limits<int>::max());
#endif
}

TEST_CASE("a graph leaves no handles open") {
    const communicator world;
    const auto each = topo_test::scenarios(world.size())[3];
    const topo::hierarchy levels{world, each.on, each.rule};
    const auto wanted = random_pattern(3, world.size());
    made_of(levels, wanted); // the nodes are kept with the hierarchy
    const auto before = topo_test::count_open_handles();
    {
        const graph made = made_of(levels, wanted);
        const graph copy = made;
        CHECK(MPI_Comm(copy) == MPI_Comm(made));
        if (made) CHECK(topo_test::count_open_handles().communicators > before.communicators);
    }
    CHECK(topo_test::count_open_handles() == before);
}

TEST_CASE("what one rank does wrong is refused on every rank") {
    const communicator world;
    const topo::hierarchy levels{world};
    const int size = world.size(), last = size - 1;
    const bool is_last = world.rank() == last;
    const std::string on_last = is_last ? "" : " (on rank " + std::to_string(last) + ')';
    const auto says = [&](std::vector<int> neighbours, const graph_options& options = {}) {
        return topo_test::complaint<topo::argument_error>([&] { graph{levels, neighbours, options}; });
    };
    CHECK(says({is_last ? size : 0}) == "topo::graph: neighbour " + std::to_string(size) +
                                            ": the communicator has " + std::to_string(size) + " ranks" +
                                            on_last);
    CHECK(says({is_last ? -1 : 0}) ==
          "topo::graph: neighbour -1: the communicator has " + std::to_string(size) + " ranks" + on_last);
    graph_options options;
    options.weights = {is_last ? 0 : 1};
    CHECK(says({0}, options) == "topo::graph: neighbour 0: weight 0 is not positive" + on_last);
    options.weights.resize(is_last ? 2 : 1, 1);
    options.weights[0] = 1;
    CHECK(says({0}, options) == "topo::graph: 2 weights: there are 1 neighbours" + on_last);
    options.weights.assign(2, is_last ? std::int64_t{1} << 62 : 1);
    CHECK(says({0, 0}, options) == "topo::graph: neighbour 0: weights add up to more than 2^60" + on_last);
    if (size == 1) return;
    const auto out = [&] {
        if (is_last)
            graph{levels, std::nullopt};
        else
            graph{levels, {last}};
    };
    CHECK(topo_test::complaint<topo::argument_error>(out) ==
          "topo::graph: rank 0: its neighbour " + std::to_string(last) + " stays out");
    graph_options other;
    if (is_last) other.effort = topo::mapping_effort::much;
    CHECK(says({}, other) ==
          "topo::graph: options: rank 0 has the total first, automatic, usual effort; rank " +
              std::to_string(last) + " has the total first, automatic, much effort");
    // Each is well after that.
    const graph fine{levels, {0}};
    CHECK_THROWS_AS(fine.old_rank(size), topo::argument_error);
    CHECK_THROWS_AS(fine.is_on_node(-1), topo::argument_error);
}

} // namespace graph_tests
