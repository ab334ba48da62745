// SPDX-License-Identifier: BSL-1.0
// Irregular and sparse exchanges, those with neighbours, and reproducible sums on several hosts, by every
// route.

#include "support/program_check.hpp"
#include <topomp/collective/all_to_allv.hpp>
#include <topomp/collective/reproducible.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/neighbour/ineighbour_all_to_all.hpp>
#include <topomp/neighbour/neighbour_all_gather.hpp>
#include <topomp/neighbour/neighbour_all_to_all.hpp>
#include <topomp/neighbour/neighbour_all_to_all_init.hpp>
#include <topomp/neighbour/neighbourhood.hpp>
#include <topomp/neighbour/sparse_exchange.hpp>
#include <topomp/plan/policy.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

namespace {

using topo::neighbour_route;
using topo_test::check;
using numbers = std::vector<int>;

int value(int from, int to, int round, std::size_t i) {
    return 1'000'000 * round + 10'000 * from + 100 * to + static_cast<int>(i % 97);
}

/// Appends the block of a link. Every eleventh block is empty, every seventh is longer than a slot in the
/// memory of a node.
std::size_t length(int from, int to) {
    const int which = from * 5 + to * 3;
    return which % 11 == 0 ? 0 : which % 7 == 0 ? 6000 : static_cast<std::size_t>(which % 4 + 1);
}
void append(numbers& blocks, int from, int to, int round, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        blocks.push_back(value(from, to, round, i));
}

/// Where a rank sends to: its next ranks, which are near or far as ranks lie on the hosts, and the one
/// across.
std::set<int> targets_of(int rank, int size) {
    return {(rank + 1) % size, (rank + 2) % size, (rank + 5) % size, size - 1 - rank};
}

/// One rank's part of an exchange.
struct part {
    numbers others, counts, blocks;
    void add(int from, int to, int round, std::size_t count) {
        counts.push_back(static_cast<int>(count));
        append(blocks, from, to, round, count);
    }
};

struct exchange {
    part out, in;
    numbers one, ones; ///< this rank's block for all, and those of its sources

    exchange(int rank, int size, int round) {
        for (const int to : targets_of(rank, size)) {
            out.others.push_back(to);
            out.add(rank, to, round, length(rank, to));
        }
        append(one, rank, 0, round, 3);
        for (int from = 0; from < size; ++from)
            if (targets_of(from, size).contains(rank)) {
                in.others.push_back(from);
                in.add(from, rank, round, length(from, rank));
                append(ones, from, 0, round, 3);
            }
    }
};

void check_neighbours(const topo::hierarchy& levels, neighbour_route route) {
    const int rank = levels.whole_rank(), size = levels.whole_size();
    const exchange first{rank, size, 0};
    const topo::neighbourhood links{levels, first.in.others, first.out.others, route};
    numbers out = first.out.blocks, result(first.in.blocks.size());
    auto step = topo::neighbour_all_to_allv_init(links, out, first.out.counts, result, first.in.counts);
    for (int round = 1; round < 5; ++round) {
        const exchange now{rank, size, round};
        out = now.out.blocks;
        step.start();
        step.wait();
        check(result == now.in.blocks, "neighbour_all_to_allv_init");
        std::ranges::fill(result, -1);
        topo::neighbour_all_to_allv(links, out, now.out.counts, result, now.in.counts);
        check(result == now.in.blocks, "neighbour_all_to_allv");
        std::ranges::fill(result, -1);
        auto under_way = topo::ineighbour_all_to_allv(links, out, now.out.counts, result, now.in.counts);
        numbers ones(now.ones.size());
        topo::neighbour_all_gather(links, now.one, ones);
        check(ones == now.ones, "neighbour_all_gather");
        under_way.wait();
        check(result == now.in.blocks, "ineighbour_all_to_allv");
    }
}

void check_sparse(const topo::hierarchy& levels) {
    const int rank = levels.whole_rank(), size = levels.whole_size();
    for (int round = 0; round < 3; ++round) {
        std::map<int, numbers> mine, expected;
        for (int from = 0; from < size; ++from)
            for (const int to : targets_of((from + round) % size, size)) {
                numbers block;
                append(block, from, to, round, length(from, to));
                if (from == rank) mine[to] = block;
                if (to == rank) expected[from] = block;
            }
        check(topo::sparse_exchange(levels, mine) == expected, "sparse_exchange");
    }
}

template <class Policy>
void check_all_to_allv(const topo::hierarchy& levels) {
    const int rank = levels.whole_rank(), size = levels.whole_size();
    part out, in;
    for (int other = 0; other < size; ++other) {
        out.add(rank, other, 7, length(rank, other));
        in.add(other, rank, 7, length(other, rank));
    }
    numbers result(in.blocks.size());
    topo::all_to_allv(levels, out.blocks, out.counts, result, in.counts, Policy{});
    check(result == in.blocks, "all_to_allv");
}

/// The first and the last rank's numbers cancel, in a sum that is rounded all others are lost.
void check_reproducible(const topo::hierarchy& levels, std::size_t count) {
    const int rank = levels.whole_rank(), size = levels.whole_size();
    constexpr double great = 0x1p60, tiny = 0x1p-20;
    std::vector<double> mine(count), sum(count), expected(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto factor = static_cast<double>(1 + i % 3);
        mine[i] = factor * (rank == 0 ? great : rank == size - 1 ? -great : rank * tiny);
        expected[i] = factor * ((size - 2) * (size - 1) / 2 * tiny);
    }
    topo::all_reduce(levels, mine, sum, topo::reproducible{});
    check(sum == expected, "reproducible all_reduce");
    std::ranges::fill(sum, 0);
    topo::reduce(levels, mine, sum, topo::reproducible{}, size - 1);
    check(rank != size - 1 || sum == expected, "reproducible reduce");
}

} // namespace

int main(int argc, char** argv) {
    const boost::mpi::environment environment{argc, argv};
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world};
    check(levels.max_depth() >= 1, "the hosts are a level");
    for (const auto route : {neighbour_route::best, neighbour_route::direct, neighbour_route::by_node})
        check_neighbours(levels, route);
    check_sparse(levels);
    check_all_to_allv<topo::automatic>(levels);
    check_all_to_allv<topo::node_aggregated<>>(levels);
    check_all_to_allv<topo::k_ary_bruck<3, 64>>(levels);
    for (const std::size_t count : {1U, 100U, 5000U})
        check_reproducible(levels, count);
    return topo_test::exit_code();
}
