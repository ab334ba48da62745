// SPDX-License-Identifier: BSL-1.0
// The policy that learns: right results by each candidate, the same bits where the order must not change, and
// in the simulator, where times repeat, the fastest candidate after the trials.
#include "support/append_numbers.hpp"
#include "support/made_up.hpp"
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/all_to_all.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/gather.hpp>
#include <topomp/collective/iall_reduce.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/collective/reduce_scatter.hpp>
#include <topomp/collective/scan.hpp>
#include <topomp/collective/scatter.hpp>
#include <topomp/decide/adaptive.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace adaptive_policy_tests {

namespace {

constexpr int calls = 90; // two trials of four candidates, and some afterwards

topo::hierarchy interleaved_nodes() {
    const boost::mpi::communicator world;
    const int cores = (world.size() + 1) / 2;
    return {world, topo::machine::parse("node:2 core:" + std::to_string(cores)),
            topo::placement::round_robin()};
}

/// Each verb once, with data of this call's own.
void check_verbs(const topo::hierarchy& levels, int call, std::size_t count) {
    constexpr topo::adaptive learn{};
    const int size = levels.whole().size(), rank = levels.whole().rank(), root = call % size;
    const auto value = [&](int of, std::size_t i) { return of * 1000 + call * 7 + static_cast<int>(i); };
    std::vector<int> mine(count), got(count), sum(count);
    for (std::size_t i = 0; i < count; ++i) {
        mine[i] = value(rank, i);
        for (int each = 0; each < size; ++each)
            sum[i] += value(each, i);
    }
    topo::barrier(levels, learn);
    got = rank == root ? mine : std::vector<int>(count);
    topo::broadcast(levels, got, root, learn);
    REQUIRE(std::ranges::all_of(got, [&, i = 0U](int each) mutable { return each == value(root, i++); }));
    topo::all_reduce(levels, mine, got, std::plus<>{}, learn);
    REQUIRE(got == sum);
    got.assign(count, 0);
    topo::reduce(levels, mine, got, std::plus<>{}, root, learn);
    if (rank == root) REQUIRE(got == sum);
    const auto all = topo::all_gather(levels, mine, learn);
    REQUIRE(all.size() == count * static_cast<std::size_t>(size));
    std::vector<int> blocks;
    for (int each = 0; each < size; ++each)
        topo_test::append_numbers(blocks, count, value(each, 0));
    REQUIRE(all == blocks);
    REQUIRE(topo::scan(levels, mine[0], std::plus<>{}, learn) == [&] {
        int before = 0;
        for (int each = 0; each <= rank; ++each)
            before += value(each, 0);
        return before;
    }());
}

} // namespace

TEST_CASE("results of adaptive are right while it learns and afterwards") {
    const auto levels = interleaved_nodes();
    for (int call = 0; call < calls; ++call)
        check_verbs(levels, call, call % 3 == 0 ? 3 : 2000);
}

TEST_CASE("where the order of additions must not change, bits do not") {
    const auto levels = interleaved_nodes();
    std::vector<double> mine(20000), first(mine.size()), now(mine.size());
    for (std::size_t i = 0; i < mine.size(); ++i)
        mine[i] = 1.0 / static_cast<double>(3 + levels.whole().rank() * 17 + static_cast<int>(i % 91)) *
                  static_cast<double>(1ULL << (levels.whole().rank() * 5 % 53));
    topo::all_reduce(levels, mine, first, std::plus<>{}, topo::placement_independent<topo::binomial>{});
    for (int call = 0; call < calls; ++call) {
        topo::all_reduce(levels, mine, now, std::plus<>{}, topo::placement_independent<topo::adaptive>{});
        REQUIRE(std::ranges::equal(now, first, {}, std::bit_cast<std::uint64_t, double>,
                                   std::bit_cast<std::uint64_t, double>));
    }
}

TEST_CASE("a program of calls in progress and of calls that fail goes on learning") {
    const auto levels = interleaved_nodes();
    std::vector<int> mine(10, 1), later(10), now(10), short_one(9);
    for (int call = 0; call < calls; ++call) {
        auto pending = topo::iall_reduce(levels, mine, later, std::plus<>{}, topo::adaptive{});
        topo::all_reduce(levels, mine, now, std::plus<>{}, topo::adaptive{});
        pending.wait();
        REQUIRE(now == later);
        REQUIRE_THROWS(topo::all_reduce(levels, mine, short_one, std::plus<>{}, topo::adaptive{}));
    }
}

#ifdef SMPI_H
TEST_CASE("in a simulation the fastest candidate serves after the trials, and none of the MPI's is faster") {
    const auto levels = interleaved_nodes();
    std::vector<double> mine(512, 1), sum(mine.size());
    const auto seconds = [&](auto policy) {
        constexpr int number = 20;
        topo::barrier(levels, topo::flat{});
        const double begin = MPI_Wtime();
        for (int call = 0; call < number; ++call)
            topo::all_reduce(levels, mine, sum, std::plus<>{}, policy);
        return topo::all_reduce(levels, MPI_Wtime() - begin, std::plus<>{}, topo::binomial{}) / number;
    };
    for (int call = 0; call < calls; ++call)
        topo::all_reduce(levels, mine, sum, std::plus<>{}, topo::adaptive{});
    const double own = seconds(topo::flat{});
    CHECK(seconds(topo::adaptive{}) <= own * 1.05);
}
#endif

} // namespace adaptive_policy_tests
