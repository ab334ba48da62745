// SPDX-License-Identifier: BSL-1.0
// Cartesian communicators with neighbours on the same node, on made-up machines, against MPI's own answers.
#include "support/complaint.hpp"
#include "support/made_up.hpp"
#include "support/mapping.hpp"
#include <topomp/mapping/grid/choose_dims.hpp>
#include <topomp/mapping/grid/equal_boxes.hpp>
#include <topomp/mapping/node_cart.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace node_cart_tests {

using boost::mpi::communicator;
using topo::node_cart;
using topo::node_cart_options;
using topo::stencil;

namespace {

/// One integer of every rank.
std::vector<int> gathered(int mine, MPI_Comm comm) {
    std::vector<int> all(static_cast<std::size_t>(topo::mpi::comm_size(comm)));
    MPI_Allgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, comm);
    return all;
}

/// The lowest rank of the calling rank's node, from the places alone.
int node_of(const topo_test::scenario& each, const communicator& world) {
    const auto seats = each.rule.seats(each.on, world.size());
    const int mine = seats[static_cast<std::size_t>(world.rank())].node;
    for (int rank = 0; rank < world.size(); ++rank)
        if (seats[static_cast<std::size_t>(rank)].node == mine) return rank;
    return -1;
}

/// MPI's own topology has the same grid, and gives the same answers.
void check_against_mpi(const node_cart& cart) {
    const auto dimensions = cart.cells().dimensions();
#ifndef SMPI_H // which does not have it
    int status = MPI_UNDEFINED;
    MPI_Topo_test(cart, &status);
    CHECK(status == MPI_CART);
#endif
    std::vector<int> dims(dimensions), periods(dimensions), coordinates(dimensions);
    MPI_Cart_get(cart, static_cast<int>(dimensions), dims.data(), periods.data(), coordinates.data());
    CHECK(dims == cart.dims());
    CHECK(coordinates == cart.coordinates());
    for (std::size_t i = 0; i < dimensions; ++i) {
        CHECK((periods[i] != 0) == cart.periods()[i]);
        for (const int displacement : {1, -1, 2}) {
            int source = 0, destination = 0;
            MPI_Cart_shift(cart, static_cast<int>(i), displacement, &source, &destination);
            const auto found = cart.shift(i, displacement);
            CHECK(found.source == source);
            CHECK(found.destination == destination);
        }
    }
    for (int rank = 0; rank < cart.size(); ++rank) {
        MPI_Cart_coords(cart, rank, static_cast<int>(dimensions), coordinates.data());
        CHECK(coordinates == cart.coordinates(rank));
        CHECK(cart.rank(coordinates) == rank);
    }
}

/// Every rank is where the plan says, and that costs what it says.
void check_plan(const node_cart& cart, const communicator& world, int node) {
    CHECK(cart.rank() == cart.comm().rank());
    CHECK(cart.size() == world.size());
    CHECK(gathered(world.rank(), cart.comm()) == cart.plan().owner);
    const auto nodes = gathered(node, cart.comm());
    for (int rank = 0; rank < cart.size(); ++rank)
        CHECK(cart.is_on_node(rank) == (nodes[static_cast<std::size_t>(rank)] == node));
    const auto count = static_cast<std::size_t>(world.size()); // of nodes at most: their lowest ranks
    CHECK(cart.plan().now.cost == topo_test::counted_cost(cart.cells(), cart.plan().pattern, nodes, count));
    const auto before = gathered(node, world);
    CHECK(cart.plan().blocked.cost ==
          topo_test::counted_cost(cart.cells(), cart.plan().pattern, before, count));
    const auto on = gathered(cart.partners_on_node(), cart.comm());
    CHECK(*std::ranges::min_element(on) == cart.plan().now.on_node.min);
    CHECK(*std::ranges::max_element(on) == cart.plan().now.on_node.max);
}

/// What arrives along each offset is what the cell on the opposite side sent; nothing beyond edges.
void check_exchange(const node_cart& cart) {
    const auto& offsets = cart.plan().pattern.offsets();
    std::vector<std::array<int, 2>> out(offsets.size()), in(offsets.size(), {-7, -7});
    std::vector<topo::halo> halos;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        out[i] = {cart.rank(), static_cast<int>(i)};
        halos.push_back({out[i].data(), 2, MPI_INT, in[i].data(), 2, MPI_INT});
    }
    for (int round = 0; round < 2; ++round)
        cart.exchange(halos);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        std::vector<int> opposite;
        for (const int step : offsets[i].steps)
            opposite.push_back(-step);
        const int from = cart.cells().neighbour(cart.rank(), opposite);
        const std::array<int, 2> expected{from, static_cast<int>(i)}, untouched{-7, -7};
        CHECK(in[i] == (from == topo::grid::outside ? untouched : expected));
        CHECK(cart.neighbour(opposite) == (from == topo::grid::outside ? MPI_PROC_NULL : from));
        CHECK(cart.sources()[i] == cart.neighbour(opposite));
        CHECK(cart.destinations()[i] == cart.neighbour(offsets[i].steps));
    }
}

struct wanted {
    std::vector<int> dims;
    node_cart_options options;
};

std::vector<wanted> wanted_grids(int ranks) {
    node_cart_options circle, moore, mixed;
    circle.periods = {true, true};
    moore.pattern = stencil::moore(2);
    moore.first = topo::mapping_goal::greatest;
    mixed.pattern = stencil{{{{0, 1, 1}, 3}, {{-1, 0, 0}, 1}, {{0, -2, 0}, 2}}};
    mixed.periods = {false, true, false};
    return {{{0, 0}, {}}, {{ranks}, {}}, {{0, 1}, circle}, {{0, 0}, moore}, {{0, 0, 0}, mixed}};
}

} // namespace

TEST_CASE("a grid has its neighbours where the plan says, and MPI agrees") {
    const communicator world;
    for (const auto& each : topo_test::few_scenarios_of_many(world.size())) {
        INFO(each.name);
        const topo::hierarchy levels{world, each.on, each.rule};
        const int node = node_of(each, world);
        for (const auto& [dims, options] : wanted_grids(world.size())) {
            const node_cart cart{levels, dims, options};
            INFO(topo::extents_text(cart.dims()));
            check_plan(cart, world, node);
            CHECK(!topo::detail::is_lower(cart.plan().blocked.cost, cart.plan().now.cost, options.first));
            check_against_mpi(cart);
            check_exchange(cart);
        }
    }
}

TEST_CASE("ranks keep their numbers where they shall, and an algorithm can be named") {
    const communicator world;
    const auto each = topo_test::scenarios(world.size())[4]; // interleaved
    const topo::hierarchy levels{world, each.on, each.rule};
    node_cart_options options;
    options.reorder = topo::reordering::off;
    const node_cart same{levels, {0, 0}, options};
    CHECK(same.rank() == world.rank());
    CHECK(same.old_rank(same.rank()) == world.rank());
    CHECK(same.plan().now.cost == same.plan().blocked.cost);
    check_plan(same, world, node_of(each, world));
    options.reorder = topo::reordering::allowed;
    options.algorithm = topo::mapping_algorithm::kd_tree;
    const node_cart other{levels, {0, 0}, options};
    CHECK(other.plan().algorithm == topo::mapping_algorithm::kd_tree);
    check_plan(other, world, node_of(each, world));
}

TEST_CASE("a communicator's own nodes are found, and found again") {
    //! [node_cart]
    const boost::mpi::communicator world;
    const topo::node_cart cart{world, {0, 0}};           // extents chosen together with the mapping
    const std::vector<int> here = cart.coordinates();    // of this rank
    const auto [left, right] = cart.shift(1, 1);         // as MPI_Cart_shift; MPI_PROC_NULL beyond an edge
    const int corner = cart.neighbour(std::array{1, 1}); // diagonals too
    //! [node_cart]
    CHECK(cart.rank(here) == cart.rank());
    CHECK(cart.rank(std::array{here[0], here[1] - 1}) == left);
    CHECK(cart.rank({here[0], here[1] - 1}) == left);
    CHECK(cart.neighbour({1, 1}) == corner);
    CHECK(cart.rank(std::array{here[0], here[1] + 1}) == right);
    CHECK(cart.rank(std::array{here[0] + 1, here[1] + 1}) == corner);
    const node_cart again{world, cart.dims()};
    CHECK(again.plan().owner == cart.plan().owner);
    CHECK(gathered(world.rank(), cart.comm()) == cart.plan().owner);
    const auto row = cart.sub({false, true});
    CHECK(row.size() == cart.dims()[1]);
    CHECK(row.rank() == cart.coordinates()[1]);
}

TEST_CASE("ranks in no level of a node are not beside those of the first node") {
    const communicator world;
    if (world.size() < 4 || world.size() > 18) return; // the machine has 18 cores
    const auto on = topo::machine::parse("switch:1 (node:1 core:2); switch:1 (node:8 core:2)");
    const topo::hierarchy levels{world, on, topo::placement::core_by_core(), {.max_depth = 1}};
    const node_cart line{levels, {world.size()}};
    std::vector<int> nodes = line.plan().node;
    nodes.resize(3);
    CHECK(nodes == std::vector<int>{0, 0, 1});
}

TEST_CASE("a halo beyond an edge needs no datatype") {
    const communicator world;
    const node_cart cart{topo::hierarchy{world}, {world.size()}};
    std::vector<int> from(cart.sources().size(), -1), mine(cart.destinations().size(), world.rank());
    std::vector<topo::halo> halos(from.size());
    for (std::size_t i = 0; i < halos.size(); ++i) {
        if (cart.destinations()[i] != MPI_PROC_NULL) {
            halos[i].out = &mine[i];
            halos[i].out_count = 1;
            halos[i].out_type = MPI_INT;
        }
        if (cart.sources()[i] != MPI_PROC_NULL) {
            halos[i].in = &from[i];
            halos[i].in_count = 1;
            halos[i].in_type = MPI_INT;
        }
    }
    cart.exchange(halos);
    for (std::size_t i = 0; i < from.size(); ++i)
        CHECK(from[i] == (cart.sources()[i] == MPI_PROC_NULL ? -1 : cart.sources()[i]));
}

TEST_CASE("what cannot be a grid is refused on every rank") {
    const communicator world;
    const topo::hierarchy levels{world};
    const auto says = [&](std::vector<int> dims, const node_cart_options& options = {}) {
        return topo_test::complaint<topo::argument_error>([&] { node_cart{levels, dims, options}; });
    };
    const int size = world.size();
    const std::string ranks = std::to_string(size);
    CHECK(says({size + 1, 1}) == "topo::grid_plan: dims " + std::to_string(size + 1) +
                                     "x1: " + std::to_string(size + 1) + " cells for the " + ranks +
                                     " ranks of all nodes; the nearest grids are " +
                                     topo::detail::nearest_grids({size + 1, 1}, size));
    CHECK(says({}).starts_with("topo::grid_plan: dims: "));
    node_cart_options flat;
    flat.pattern = stencil::star(3);
    CHECK(says({0, 0}, flat) == "topo::grid_plan: stencil of 3 dimensions: the grid has 2");
    node_cart_options ring;
    ring.periods = {true};
    CHECK(says({0, 0}, ring) == "topo::grid_plan: 1 period: the grid has 2 dimensions");
    const node_cart cart{levels, {0, 0}};
    CHECK_THROWS_AS(cart.coordinates(size), topo::argument_error);
    CHECK_THROWS_AS(cart.neighbour(std::array{1}), topo::argument_error);
    CHECK_THROWS_AS(cart.shift(2, 1), topo::argument_error);
    CHECK_THROWS_AS(cart.exchange({}), topo::argument_error);
    CHECK_THROWS_AS(cart.sub({true}), topo::argument_error);
}

} // namespace node_cart_tests
