// SPDX-License-Identifier: BSL-1.0
// all_gather, all_to_all, gather and scatter among several nodes through the memory of each, on all kinds of
// made-up machines, against a serial computation: lengths that grow and shrink, one verb behind the other,
// types with gaps.
#include "support/kept_hierarchy.hpp"
#include "support/made_up.hpp"
#include <topomp/algorithm/shared/node_blocks.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/oversubscription.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <cstddef>
#include <vector>

namespace node_blocks_tests {

namespace {

constexpr int untouched = -1;

/// Element i of what a rank has for another, or for all, in a call.
int element_of(int call, int from, int to, std::size_t i) {
    return call * 1'000'000 + from * 10'007 + to * 101 + static_cast<int>(i % 89) + 1;
}

/// A type of one number, and how far apart these lie.
struct number_type {
    MPI_Datatype type;
    std::size_t stride;
};

/// Gathers `count` numbers of each rank; `false` if there is no memory to do it through.
bool check_all_gather(const topo::hierarchy& levels, int call, std::size_t count, number_type result) {
    const int size = levels.whole().size(), me = levels.whole().rank();
    std::vector<int> all(static_cast<std::size_t>(size) * count * result.stride, untouched), expected = all;
    for (int rank = 0; rank < size; ++rank)
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t at = (static_cast<std::size_t>(rank) * count + i) * result.stride;
            expected[at] = element_of(call, rank, 0, i);
            if (rank == me) all[at] = expected[at];
        }
    if (!topo::detail::node_blocks{levels, count * sizeof(int)}.all_gather({all.data(), result.type, count}))
        return false;
    CHECK(all == expected);
    return true;
}

bool check_all_to_all(const topo::hierarchy& levels, int call, std::size_t count, number_type source,
                      number_type result) {
    const int size = levels.whole().size(), me = levels.whole().rank();
    const std::size_t elements = static_cast<std::size_t>(size) * count;
    std::vector<int> mine(elements * source.stride, untouched);
    std::vector<int> taken(elements * result.stride, untouched), expected = taken;
    for (int other = 0; other < size; ++other)
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t at = static_cast<std::size_t>(other) * count + i;
            mine[at * source.stride] = element_of(call, me, other, i);
            expected[at * result.stride] = element_of(call, other, me, i);
        }
    topo::detail::node_blocks nodes{levels, count * sizeof(int)};
    if (!nodes.all_to_all({mine.data(), source.type, count}, {taken.data(), result.type, count}))
        return false;
    CHECK(taken == expected);
    return true;
}

bool check_scatter(const topo::hierarchy& levels, int call, std::size_t count, int root, number_type source,
                   number_type result) {
    const int size = levels.whole().size(), me = levels.whole().rank();
    std::vector<int> all(me == root ? static_cast<std::size_t>(size) * count * source.stride : 0, untouched);
    std::vector<int> mine(count * result.stride, untouched), expected = mine;
    for (std::size_t i = 0; i < count; ++i) {
        expected[i * result.stride] = element_of(call, root, me, i);
        for (int rank = 0; me == root && rank < size; ++rank)
            all[(static_cast<std::size_t>(rank) * count + i) * source.stride] =
                element_of(call, root, rank, i);
    }
    topo::detail::node_blocks nodes{levels, count * sizeof(int)};
    if (!nodes.scatter({all.data(), source.type, count}, {mine.data(), count, result.type}, root))
        return false;
    CHECK(mine == expected);
    return true;
}

bool check_gather(const topo::hierarchy& levels, int call, std::size_t count, int root, number_type source,
                  number_type result) {
    const int size = levels.whole().size(), me = levels.whole().rank();
    std::vector<int> mine(count * source.stride, untouched);
    std::vector<int> all(me == root ? static_cast<std::size_t>(size) * count * result.stride : 0, untouched);
    std::vector<int> expected = all;
    for (std::size_t i = 0; i < count; ++i) {
        mine[i * source.stride] = element_of(call, me, root, i);
        for (int rank = 0; me == root && rank < size; ++rank)
            expected[(static_cast<std::size_t>(rank) * count + i) * result.stride] =
                element_of(call, rank, root, i);
    }
    topo::detail::node_blocks nodes{levels, count * sizeof(int)};
    if (!nodes.gather({mine.data(), count, source.type}, {all.data(), result.type, count}, root))
        return false;
    CHECK(all == expected);
    return true;
}

} // namespace

TEST_CASE("blocks once per node, before each rank takes its own") {
    const boost::mpi::communicator world;
    MPI_Datatype spaced = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(MPI_INT, 0, 3 * sizeof(int), &spaced);
    MPI_Type_commit(&spaced);
    const number_type dense{MPI_INT, 1}, gaps{spaced, 3};
    for (const auto& each : topo_test::few_scenarios_of_many(world.size())) {
        INFO(each.name);
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        const bool is_there = topo::detail::oversubscription::of(levels).shares_memory;
        int call = 0;
        for (const std::size_t count : {std::size_t{1}, std::size_t{300}, std::size_t{0}, std::size_t{7}}) {
            CHECK(check_all_gather(levels, ++call, count, dense) == is_there);
            CHECK(check_all_gather(levels, ++call, count, gaps) == is_there);
            CHECK(check_all_to_all(levels, ++call, count, dense, gaps) == is_there);
            CHECK(check_all_to_all(levels, ++call, count, gaps, dense) == is_there);
            for (int root = call % 2; root < world.size(); root += 2) {
                CHECK(check_scatter(levels, ++call, count, root, gaps, dense) == is_there);
                CHECK(check_scatter(levels, ++call, count, root, dense, gaps) == is_there);
                CHECK(check_gather(levels, ++call, count, root, gaps, dense) == is_there);
                CHECK(check_gather(levels, ++call, count, root, dense, gaps) == is_there);
            }
            CHECK(check_all_to_all(levels, ++call, count, dense, dense) == is_there);
            for (int root = 0; root < world.size(); ++root)
                CHECK(check_gather(levels, ++call, count, root, dense, dense) == is_there);
            CHECK(check_all_gather(levels, ++call, 2 * count, dense) == is_there);
        }
        // A gather whose blocks lie where others have the results of the exchange before.
        for (int repeat = 0; repeat < 20; ++repeat) {
            const auto blocks = static_cast<std::size_t>(2 * world.size());
            CHECK(check_all_to_all(levels, ++call, 16, dense, gaps) == is_there);
            CHECK(check_gather(levels, ++call, 16 * blocks, repeat % world.size(), dense, dense) == is_there);
        }
        // Longer than what few nodes send each other straight.
        if (world.size() <= 16) CHECK(check_all_gather(levels, ++call, 20'000, dense) == is_there);
    }
    MPI_Type_free(&spaced);
}

} // namespace node_blocks_tests
