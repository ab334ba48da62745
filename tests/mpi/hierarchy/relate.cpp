// SPDX-License-Identifier: BSL-1.0
// How communicators relate, and data that moves to the ranks with the same numbers in another one.
#include "support/complaint.hpp"
#include <topomp/hierarchy/relate.hpp>
#include <topomp/hierarchy/remap.hpp>
#include <topomp/mapping/node_cart.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace relate_tests {

using boost::mpi::communicator;
using topo::relation;

namespace {

/// The ranks of `world` in this order; null on the others.
communicator made_of(const communicator& world, const std::vector<int>& ranks) {
    const auto mine = std::ranges::find(ranks, world.rank()) - ranks.begin();
    const bool is_in = mine < std::ssize(ranks);
    return topo::detail::own(
        topo::mpi::comm_split(world, is_in ? 0 : MPI_UNDEFINED, static_cast<int>(mine), "ranks in an order"));
}

bool is_null(const communicator& comm) { return MPI_Comm(comm) == MPI_COMM_NULL; }

/// By the lists of ranks alone.
relation expected(const std::vector<int>& one, const std::vector<int>& other) {
    const auto within = [](const std::vector<int>& small, const std::vector<int>& large, relation strict,
                           relation any) {
        std::vector<int> common;
        for (const int rank : large)
            if (std::ranges::find(small, rank) != small.end()) common.push_back(rank);
        if (common.size() != small.size()) return relation::unequal;
        return common == small ? strict : any;
    };
    if (one.size() == other.size()) return within(one, other, relation::congruent, relation::similar);
    if (one.size() < other.size()) return within(one, other, relation::strict_sub, relation::sub);
    return within(other, one, relation::strict_super, relation::super);
}

/// Lists of ranks: all, reversed, the first half, every second backwards, shuffled ones.
std::vector<std::vector<int>> lists(int size) {
    std::vector<int> all, half, odd;
    for (int rank = 0; rank < size; ++rank) {
        all.push_back(rank);
        if (2 * rank < size) half.push_back(rank);
        if (rank % 2 == 1) odd.push_back(rank);
    }
    std::vector<std::vector<int>> result{all, {all.rbegin(), all.rend()}, half, {half.rbegin(), half.rend()}};
    if (!odd.empty()) result.push_back({odd.rbegin(), odd.rend()});
    result.push_back({size - 1});
    std::mt19937 numbers{4};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = all.size(); j-- > 1;)
            std::swap(all[j], all[numbers() % (j + 1)]);
        result.emplace_back(all.begin(),
                            all.begin() + 1 + static_cast<std::ptrdiff_t>(numbers() % all.size()));
    }
    return result;
}

} // namespace

TEST_CASE("communicators relate as their lists of ranks do") {
    const communicator world;
    const auto all = lists(world.size());
    std::vector<communicator> comms;
    for (const auto& each : all)
        comms.push_back(made_of(world, each));
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = 0; j < all.size(); ++j) {
            if (is_null(comms[i]) || is_null(comms[j])) continue;
            INFO("lists " << i << " and " << j);
            const auto found = topo::relate(comms[i], comms[j]);
            CHECK(found == (i == j ? relation::identical : expected(all[i], all[j])));
        }
    CHECK(topo::relate(world, world) == relation::identical);
    CHECK(topo::to_string(relation::strict_super) == "strict_super");
    CHECK_THROWS_AS(topo::relate(world, MPI_COMM_NULL), topo::argument_error);
}

TEST_CASE("data goes to the ranks with the same numbers, also from ranks outside") {
    const communicator world;
    const auto mine = static_cast<std::size_t>(world.rank());
    for (const auto& ranks : lists(world.size())) {
        const communicator other = made_of(world, ranks);
        const auto along = topo::remap(world, other);
        CHECK(along.to_rank() == (mine < ranks.size() ? ranks[mine] : MPI_PROC_NULL));
        CHECK(along.from_rank() == (is_null(other) ? MPI_PROC_NULL : other.rank()));
        for (const std::size_t count : {0U, 1U, 7U, 40000U}) {
            std::vector<int> in(count), out(count, -1);
            for (std::size_t i = 0; i < count; ++i)
                in[i] = static_cast<int>(1000 * mine + i);
            topo::permute(along, in, out);
            bool is_right = true;
            for (std::size_t i = 0; i < count; ++i)
                is_right =
                    is_right && out[i] == (is_null(other) ? -1 : 1000 * other.rank() + static_cast<int>(i));
            CHECK(is_right);
        }
        // Erased.
        std::array<int, 2> in{world.rank(), 5}, out{-1, -1};
        topo::permute(along, topo::message{in.data(), 1, MPI_2INT}, topo::message{out.data(), 1, MPI_2INT});
        CHECK(out[0] == (is_null(other) ? -1 : other.rank()));
        CHECK(out[1] == (is_null(other) ? -1 : 5));
        // What is ignored needs no datatype.
        const topo::message none{nullptr, 0, MPI_DATATYPE_NULL};
        in[0] = world.rank() + 100;
        topo::permute(along, along.to_rank() == MPI_PROC_NULL ? none : topo::message{in.data(), 1, MPI_INT},
                      along.from_rank() == MPI_PROC_NULL ? none : topo::message{out.data(), 1, MPI_INT});
        CHECK(out[0] == (is_null(other) ? -1 : other.rank() + 100));
    }
}

TEST_CASE("data follows into a grid") {
    const communicator world;
    const topo::node_cart cart{world, {0, 0}};
    const auto along = topo::remap(world, cart.comm());
    CHECK(along.from_rank() == cart.rank());
    std::array<double, 1> in{world.rank() + 0.5}, out{};
    topo::permute(along, in, out);
    CHECK(out[0] == cart.rank() + 0.5);
    const double sent = world.rank() + 0.25;
    double came = -1;
    topo::permute(along, sent, came);
    CHECK(came == cart.rank() + 0.25);
    const auto found = topo::relate(cart.comm(), world);
    CHECK((found == relation::congruent || found == relation::similar));
}

TEST_CASE("a communicator with other ranks than the base's is refused on every rank") {
    const communicator world;
    if (world.size() == 1) return;
    std::vector<int> first{0};
    const communicator small = made_of(world, first);
    if (is_null(small)) return; // only rank 0 has a base without the others
    const auto says = topo_test::complaint<topo::argument_error>([&] { topo::remap(small, world); });
    CHECK(says == "topo::remap: a communicator of " + std::to_string(world.size()) +
                      " ranks: 1 of them are in the base; all have to be");
}

TEST_CASE("communicators of different sizes are refused on every rank") {
    const communicator world;
    if (world.size() == 1) return;
    const bool is_last = world.rank() == world.size() - 1;
    const auto says = topo_test::complaint<topo::argument_error>(
        [&] { topo::remap(world, is_last ? MPI_COMM_SELF : MPI_Comm{world}); });
    CHECK(says == "topo::remap: a communicator of " + std::to_string(world.size()) +
                      " ranks: another rank of the base gives one of 1, but all have to give the same");
}

} // namespace relate_tests
