// SPDX-License-Identifier: BSL-1.0
// Sums with topo::reproducible by all verbs and kinds of algorithms, on made-up machines: the same bits as
// integers of any length give.
#include "support/check_fails.hpp"
#include "support/exact_answer.hpp"
#include "support/exact_sums.hpp"
#include "support/made_up.hpp"
#include <topomp/collective/reproducible.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/reproducible.hpp>
#include <topomp/memory/shared_window.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/inplace.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace reproducible_tests {

using topo::reproducible;
using topo_test::answer;
using topo_test::drawn;
using topo_test::numbers;
using topo_test::same;
using topo_test::same_bits;
using topo_test::spread;

namespace {

/// What every rank calls with, and what comes out.
template <class T>
struct task {
    topo::hierarchy levels;
    std::vector<std::vector<T>> all;
    std::vector<T> sums = answer(all, all.size());
    int rank = levels.whole().rank();
    const std::vector<T>& mine() const { return all[static_cast<std::size_t>(rank)]; }
    std::size_t count() const { return mine().size(); }
};

template <class T, class Policy>
void check_reductions(const task<T>& given, Policy by) {
    const auto& [levels, all, sums, rank] = given;
    CHECK(same(topo::all_reduce(levels, given.mine(), reproducible{}, by), sums));
    auto here = given.mine();
    topo::all_reduce(levels, boost::mpi::inplace(here), reproducible{}, by);
    CHECK(same(here, sums));
    const int root = static_cast<int>(all.size()) - 1;
    const auto at_root = topo::reduce(levels, given.mine(), reproducible{}, root, by);
    CHECK(same(at_root, rank == root ? sums : std::vector<T>{}));

    std::vector<std::size_t> counts(all.size()), begins(all.size());
    for (std::size_t i = 0; i < given.count(); ++i)
        ++counts[i * i % all.size()];
    std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), std::size_t{0});
    const auto begin = sums.begin() + static_cast<std::ptrdiff_t>(begins[static_cast<std::size_t>(rank)]);
    std::vector<T> block(counts[static_cast<std::size_t>(rank)]);
    topo::reduce_scatter(levels, given.mine(), counts, block, reproducible{}, by);
    CHECK(same(block, std::vector<T>(begin, begin + static_cast<std::ptrdiff_t>(block.size()))));
}

template <class T, class Policy>
void check_scans(const task<T>& given, Policy by) {
    const auto before = static_cast<std::size_t>(given.rank);
    CHECK(same(topo::scan(given.levels, given.mine(), reproducible{}, by), answer(given.all, before + 1)));
    std::vector<T> result(given.count(), T{7});
    topo::exclusive_scan(given.levels, given.mine(), result, reproducible{}, by);
    CHECK(same(result, before == 0 ? std::vector<T>(given.count(), T{7}) : answer(given.all, before)));
}

template <class T, class Policy>
void check_background(const task<T>& given, Policy by) {
    std::vector<T> one(given.count()), at_root(given.count());
    auto second = given.mine();
    auto first_sum = topo::iall_reduce(given.levels, given.mine(), one, reproducible{}, by);
    auto reduced = topo::ireduce(given.levels, given.mine(), at_root, reproducible{}, 0, by);
    auto second_sum = topo::iall_reduce(given.levels, second, second, reproducible{}, by);
    second_sum.wait();
    reduced.wait();
    first_sum.wait();
    CHECK(same(one, given.sums));
    CHECK(same(second, given.sums));
    if (given.rank == 0) CHECK(same(at_root, given.sums));
}

template <class T, class Policy>
void check_hybrid(const task<T>& given, Policy) {
    const topo::hybrid::policy<Policy> by;
    topo::shared_window<T> window{given.levels, given.count(), topo::hybrid::one_copy};
    topo::hybrid::all_reduce(given.levels, given.mine(), window, reproducible{}, by);
    CHECK(same(std::vector<T>(window.begin(), window.end()), given.sums));
    topo::shared_window<T> at_root{given.levels, given.count(), topo::hybrid::one_copy};
    topo::hybrid::reduce(given.levels, given.mine(), at_root, reproducible{}, 0, by);
    if (given.rank == 0) CHECK(same(std::vector<T>(at_root.begin(), at_root.end()), given.sums));
}

template <class T>
void check_all(const topo::hierarchy& levels, std::uint32_t seed, std::size_t elements) {
    const task<T> given{levels, drawn<T>(seed, levels.whole().size(), elements)};
    CAPTURE(elements);
    check_reductions(given, topo::automatic{});
    check_scans(given, topo::automatic{});
    check_background(given, topo::automatic{});
    check_hybrid(given, topo::automatic{});
    if (elements > 40) return; // accumulators take 35 times the memory
    check_reductions(given, topo::binomial{});
    check_reductions(given, topo::flat{});
    check_scans(given, topo::binomial{});
    check_background(given, topo::binomial{});
    CHECK(
        same(topo::all_reduce(levels, given.mine(), reproducible{}, topo::recursive_doubling{}), given.sums));
    CHECK(same(topo::all_reduce(levels, given.mine(), reproducible{}, topo::ring{}), given.sums));
    CHECK(same(topo::all_reduce(levels, given.mine(), reproducible{}, topo::lanes<>{}), given.sums));
    CHECK(same(topo::all_reduce(levels, given.mine(), reproducible{}, topo::native{}), given.sums));
    check_hybrid(given, topo::binomial{});
}

/// Twenty machines, or of many ranks, whose calls are slow in the simulator, two.
std::vector<topo_test::scenario> machines_of(int ranks) {
    auto machines = topo_test::few_scenarios_of_many(ranks);
    for (std::uint32_t seed = 0; machines.size() < (ranks > 16 ? 0U : 20U); ++seed)
        machines.push_back(topo_test::random_scenario(seed, ranks));
    return machines;
}

} // namespace

TEST_CASE("all verbs, on made-up machines, have the bits of the exact sums") {
    const boost::mpi::communicator world;
    std::uint32_t seed = 0;
    const auto machines = machines_of(world.size());
    for (std::size_t i = 0; i < machines.size(); i += topo_test::stride) {
        INFO(machines[i].name);
        const topo::hierarchy levels{world, machines[i].on, machines[i].rule};
        ++seed;
        check_all<double>(levels, seed, seed % 30);
        check_all<float>(levels, seed, 300 + seed);
    }
}

namespace {

/// Blocks of the sums, of which some are empty, and one is long.
template <class T>
void check_long_blocks(const topo::hierarchy& levels, std::vector<T> mine, const std::vector<T>& sums) {
    const auto ranks = static_cast<std::size_t>(levels.whole_size());
    std::vector<std::size_t> counts(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank)
        counts[rank] = rank % 3 == 1 ? 0 : mine.size() / (2 * ranks) + rank;
    counts[ranks / 2] = 0;
    counts[ranks / 2] = mine.size() - std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    const auto rank = static_cast<std::size_t>(levels.whole_rank());
    const std::size_t first =
        std::accumulate(counts.begin(), counts.begin() + levels.whole_rank(), std::size_t{0});
    const auto begin = sums.begin() + static_cast<std::ptrdiff_t>(first);
    const std::vector<T> wanted(begin, begin + static_cast<std::ptrdiff_t>(counts[rank]));
    std::vector<T> block(counts[rank]);
    topo::reduce_scatter(levels, mine, counts, block, reproducible{});
    CHECK(same(block, wanted));
    const std::span at_the_beginning{mine.data(), counts[rank]};
    topo::reduce_scatter(levels, mine, counts, at_the_beginning, reproducible{});
    CHECK(same(std::vector<T>(at_the_beginning.begin(), at_the_beginning.end()), wanted));
}

/// Ranks on several nodes round a part each, in several pieces. Columns repeat, so that few answers are
/// needed. On every machine, or on the first or second of each two.
template <class T>
void check_long(spread least, std::size_t first, std::size_t step) {
    const boost::mpi::communicator world;
    const std::size_t period = 61, length = (std::size_t{1} << 15U) + 5;
    const auto columns = drawn<T>(5, world.size(), period, least);
    const auto sums = answer(columns, columns.size());
    const auto repeated = [&](const std::vector<T>& one) {
        std::vector<T> result;
        for (std::size_t i = 0; i < length; ++i)
            result.push_back(one[i % period]);
        return result;
    };
    const auto wanted = repeated(sums);
    const auto rank = static_cast<std::size_t>(world.rank());
    const auto up_to_mine = repeated(answer(columns, rank + 1));
    const auto before_mine =
        rank == 0 ? std::vector<T>(length, T{7}) : repeated(answer(columns, rank)); // not written on rank 0
    const auto mine = repeated(columns[static_cast<std::size_t>(world.rank())]);
    auto machines = topo_test::few_scenarios_of_many(world.size());
    for (std::size_t i = first; i < machines.size(); i += step * topo_test::stride) {
        INFO(machines[i].name);
        const topo::hierarchy levels{world, machines[i].on, machines[i].rule};
        CHECK(same(topo::all_reduce(levels, mine, reproducible{}), wanted));
        auto here = mine, at_root = mine;
        topo::all_reduce(levels, boost::mpi::inplace(here), reproducible{});
        CHECK(same(here, wanted));
        const int root = world.size() / 2;
        topo::reduce(levels, mine, at_root, reproducible{}, root);
        CHECK(same(at_root, world.rank() == root ? wanted : mine));
        auto started = topo::iall_reduce(levels, mine, here, reproducible{});
        started.wait();
        CHECK(same(here, wanted));
        check_long_blocks(levels, mine, wanted);
        topo::scan(levels, mine, here, reproducible{});
        CHECK(same(here, up_to_mine));
        here = mine;
        topo::scan(levels, here, here, reproducible{});
        CHECK(same(here, up_to_mine));
        std::ranges::fill(here, T{7});
        topo::exclusive_scan(levels, mine, here, reproducible{});
        CHECK(same(here, before_mine));
    }
}

} // namespace

TEST_CASE("long sums, of which some columns do not fit into two numbers") {
    check_long<double>(spread::none, 0, 1);
    check_long<float>(spread::none, 1, 2);
}

/// So that later calls do not try two numbers.
TEST_CASE("long sums, of which hardly a column fits into two numbers") {
    check_long<double>(spread::all, 0, 2);
    check_long<float>(spread::all, 1, 2);
}

TEST_CASE("single values; infinities and NaN of some ranks") {
    const topo::hierarchy levels{boost::mpi::communicator{}};
    const int rank = levels.whole().rank(), ranks = levels.whole().size();
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(topo::all_reduce(levels, 0.1, reproducible{}) ==
          topo_test::exact_answer(std::vector<double>(static_cast<std::size_t>(ranks), 0.1)));
    for (const std::size_t length : {1U, 1000U}) {
        std::vector<double> mine(length, rank == ranks - 1 ? infinity : 1.0);
        CHECK(topo::all_reduce(levels, mine, reproducible{}).back() == infinity);
        if (rank == 0) mine.back() = -std::numeric_limits<double>::quiet_NaN();
        CHECK(same_bits(topo::all_reduce(levels, mine, reproducible{}).back(),
                        std::numeric_limits<double>::quiet_NaN()));
    }
}

/// Parts of different lengths, some of them empty, on the first 1, 2, 3, ... ranks; each number on every
/// fourth machine, with 16 ranks on all of them.
TEST_CASE("a distributed sum has the same bits on any number of ranks") {
    const boost::mpi::communicator world;
    numbers roll{3};
    const auto all = topo_test::cancelling<double>(roll, 500, spread::all);
    const double wanted = topo_test::exact_answer(all);
    for (int ranks = 1; ranks <= world.size(); ++ranks) {
        const auto part = world.split(world.rank() < ranks ? 0 : MPI_UNDEFINED);
        if (world.rank() >= ranks) continue;
        std::vector<double> mine;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (static_cast<int>(i * i % 7) % ranks == world.rank()) mine.push_back(all[i]);
        const auto machines = machines_of(ranks);
        const std::size_t step = world.size() < 16 ? 4 * topo_test::stride : 1;
        for (std::size_t i = static_cast<std::size_t>(ranks) % std::min(step, machines.size());
             i < machines.size(); i += step) {
            INFO(machines[i].name);
            const topo::hierarchy levels{part, machines[i].on, machines[i].rule};
            CHECK(same_bits(topo::reproducible_sum(levels, mine), wanted));
            CHECK(same_bits(topo::reproducible_sum(levels, mine, topo::binomial{}), wanted));
        }
    }
}

TEST_CASE("sizes that differ are refused") {
    const topo::hierarchy levels{boost::mpi::communicator{}};
    std::vector<double> two(2), three(3);
    topo_test::check_fails<topo::argument_error>(
        [&] { topo::all_reduce(levels, two, three, reproducible{}); }, {"topo::all_reduce", "2", "3"});
    topo_test::check_fails<topo::argument_error>(
        [&] { topo::reduce(levels, two, three, reproducible{}, levels.whole().size()); },
        {"topo::reduce", "root"});
}

} // namespace reproducible_tests
