// SPDX-License-Identifier: BSL-1.0
// Sums with topo::reproducible that do not wait, started once or many times with other operands, several at a
// time: the same bits as integers of any length give.
#include "support/check_fails.hpp"
#include "support/exact_answer.hpp"
#include "support/exact_sums.hpp"
#include "support/made_up.hpp"
#include <topomp/collective/all_reduce_init.hpp>
#include <topomp/collective/exclusive_scan_init.hpp>
#include <topomp/collective/iexclusive_scan.hpp>
#include <topomp/collective/ireduce_scatter.hpp>
#include <topomp/collective/iscan.hpp>
#include <topomp/collective/persistent.hpp>
#include <topomp/collective/reduce_init.hpp>
#include <topomp/collective/reduce_scatter_init.hpp>
#include <topomp/collective/reproducible.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/collective/scan_init.hpp>
#include <topomp/collective/wait.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/policy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace reproducible_forms_tests {

using topo::reproducible;
using topo_test::answer;
using topo_test::same;
using topo_test::same_bits;
using topo_test::spread;

namespace {

/// The buffers of one call of each verb, and of some in place.
template <class T>
struct all_sums {
    const topo::hierarchy& levels;
    std::size_t count;
    std::uint32_t seed;
    int rank = levels.whole_rank(), size = levels.whole_size(), root = size / 2;
    std::size_t ranks = static_cast<std::size_t>(size), own = static_cast<std::size_t>(rank);

    std::vector<std::vector<T>> all;
    std::vector<T> mine = std::vector<T>(count), everywhere = mine, here = mine, at_root = mine, up_to = mine,
                   up_to_here = mine, before = mine;
    std::vector<std::size_t> counts = std::vector<std::size_t>(ranks); ///< some are 0
    std::vector<T> block;
    std::vector<T> divisible = std::vector<T>(count / ranks * ranks),
                   equal_block = std::vector<T>(count / ranks);
    T one{}, sum{}, sum_up_to{};

    all_sums(const topo::hierarchy& where, std::size_t elements, std::uint32_t number)
        : levels(where), count(elements), seed(number) {
        for (std::size_t i = 0; i < count; ++i)
            ++counts[i * i % ranks];
        block.resize(counts[own]);
    }

    void fill(int round) {
        const spread least{round % 3}; // the first ones fit into two numbers
        all = topo_test::drawn<T>(seed + 100 * static_cast<std::uint32_t>(round), size, count, least,
                                  least == spread::none ? least : spread::all);
        for (auto* const to : {&mine, &here, &up_to_here, &divisible}) // which stay where they are
            std::copy_n(all[own].begin(), to->size(), to->begin());
        for (auto* const to : {&everywhere, &at_root, &up_to, &before, &block, &equal_block})
            std::ranges::fill(*to, T{7});
        one = count == 0 ? T{1} : mine.front();
        sum = sum_up_to = 0;
    }

    /// Of each verb the form that is wanted.
    template <bool IsPersistent, class Policy>
    auto begin(Policy by) {
        using result = std::conditional_t<IsPersistent, topo::persistent, topo::request>;
        constexpr reproducible op;
        std::vector<result> made;
        const auto add = [&](auto init, auto start) {
            if constexpr (IsPersistent)
                made.push_back(init());
            else
                made.push_back(start());
        };
#define BOTH(verb, ...)                                                                                      \
    add([&] { return topo::verb##_init(levels, __VA_ARGS__); },                                              \
        [&] { return topo::i##verb(levels, __VA_ARGS__); })
        BOTH(all_reduce, mine, everywhere, op, by);
        BOTH(all_reduce, here, here, op, by);
        BOTH(all_reduce, one, sum, op, by);
        BOTH(reduce, mine, at_root, op, root, by);
        BOTH(reduce_scatter, mine, counts, block, op, by);
        BOTH(reduce_scatter, divisible, equal_block, op, by);
        BOTH(scan, mine, up_to, op, by);
        BOTH(scan, up_to_here, up_to_here, op, by);
        BOTH(scan, one, sum_up_to, op, by);
        BOTH(exclusive_scan, mine, before, op, by);
#undef BOTH
        return made;
    }

    void check() const {
        const std::vector<T> nothing(count, T{7}), sums = answer(all, ranks), through = answer(all, own + 1);
        const auto part = [&](std::size_t first, std::size_t length) {
            const auto begin = sums.begin() + static_cast<std::ptrdiff_t>(first);
            return std::vector<T>(begin, begin + static_cast<std::ptrdiff_t>(length));
        };
        CHECK(same(everywhere, sums));
        CHECK(same(here, sums));
        CHECK(same(at_root, rank == root ? sums : nothing));
        const auto first = std::accumulate(counts.begin(), counts.begin() + rank, std::size_t{0});
        CHECK(same(block, part(first, block.size())));
        CHECK(same(equal_block, part(own * equal_block.size(), equal_block.size())));
        CHECK(same(up_to, through));
        CHECK(same(up_to_here, through));
        CHECK(same(before, rank == 0 ? nothing : answer(all, own)));
        CHECK(same_bits(sum, count == 0 ? static_cast<T>(size) : sums.front()));
        CHECK(same_bits(sum_up_to, count == 0 ? static_cast<T>(rank + 1) : through.front()));
        CHECK(same(topo::all_reduce(levels, mine, reproducible{}), everywhere));
    }
};

/// Two of each at a time, in three rounds, whose numbers differ more and more in their exponents, and then
/// less again; waited for in an order of each rank's own. Then the same in the background.
template <class T, class Policy>
void check_forms(const topo::hierarchy& levels, std::size_t count, std::uint32_t seed, Policy by) {
    CAPTURE(count);
    all_sums<T> first{levels, count, seed}, second{levels, count, seed + 1};
    std::mt19937 order{static_cast<unsigned>(levels.whole_rank() + 1)};
    const auto end_all = [&](auto& some, auto& others) {
        using form = typename std::remove_reference_t<decltype(some)>::value_type;
        std::vector<form*> both;
        for (auto* const set : {&some, &others})
            for (form& each : *set)
                both.push_back(&each);
        std::shuffle(both.begin(), both.end(), order);
        for (form* const each : both)
            each->wait();
        first.check();
        second.check();
    };
    {
        auto of_first = first.template begin<true>(by), of_second = second.template begin<true>(by);
        for (int round = 0; round < 3; ++round) {
            CAPTURE(round);
            first.fill(round);
            second.fill(round + 1);
            for (std::size_t i = 0; i < of_first.size(); ++i) {
                of_first[i].start();
                of_second[i].start();
                CHECK(of_first[i].active());
            }
            end_all(of_first, of_second);
        }
    }
    first.fill(5);
    second.fill(6);
    auto of_first = first.template begin<false>(by), of_second = second.template begin<false>(by);
    end_all(of_first, of_second);
}

template <class Check>
void on_machines(Check check) {
    const boost::mpi::communicator world;
    std::uint32_t seed = 1019;
    const auto machines = topo_test::some_scenarios(world.size());
    for (const auto& each : machines) {
        INFO(each.name);
        check(topo::hierarchy{world, each.on, each.rule}, ++seed);
    }
}

} // namespace

TEST_CASE("sums of all lengths, prepared and in the background, by default") {
    on_machines([](const topo::hierarchy& levels, std::uint32_t seed) {
        if (seed % 2 == 0)
            check_forms<double>(levels, seed % 30, seed, topo::automatic{});
        else
            check_forms<float>(levels, 150 + seed % 30, seed, topo::automatic{});
    });
}

TEST_CASE("long sums, prepared and in the background, by default") {
    constexpr std::size_t stride = topo_test::is_watched ? 5 : 3;
    on_machines([](const topo::hierarchy& levels, std::uint32_t seed) {
        if (seed % stride == 0) check_forms<double>(levels, 1500, seed, topo::automatic{});
    });
}

TEST_CASE("sums of accumulators, prepared and in the background, by trees and by the MPI's own") {
    on_machines([](const topo::hierarchy& levels, std::uint32_t seed) {
        if (seed % 2 == 0)
            check_forms<double>(levels, seed % 30, seed, topo::binomial{});
        else
            check_forms<float>(levels, seed % 30, seed, topo::flat{});
    });
}

/// A collective of each algorithm that serves all_reduces without waiting, and of two that do so for others.
TEST_CASE("sums of accumulators by other algorithms") {
    on_machines([](const topo::hierarchy& levels, std::uint32_t seed) {
        all_sums<double> given{levels, 17, seed};
        std::vector<double> result(given.count), prefix(given.count);
        const auto check = [&](auto by) {
            auto prepared = topo::all_reduce_init(levels, given.mine, result, reproducible{}, by);
            for (int round = 0; round < 2; ++round) {
                given.fill(round);
                prepared.start();
                prepared.wait();
                CHECK(same(result, answer(given.all, given.ranks)));
            }
            result.assign(given.count, 7);
            auto started = topo::iall_reduce(levels, given.mine, result, reproducible{}, by);
            started.wait();
            CHECK(same(result, answer(given.all, given.ranks)));
        };
        check(topo::recursive_doubling{});
        check(topo::ring{});
        check(topo::rabenseifner{});
        check(topo::lanes<>{});
        check(topo::segmented<64, topo::chain>{});
        auto halved = topo::reduce_scatter_init(levels, given.mine, given.counts, given.block, reproducible{},
                                                topo::recursive_halving{});
        halved.start();
        halved.wait();
        const auto sums = answer(given.all, given.ranks);
        const auto first =
            std::accumulate(given.counts.begin(), given.counts.begin() + given.rank, std::size_t{0});
        CHECK(std::equal(given.block.begin(), given.block.end(),
                         sums.begin() + static_cast<std::ptrdiff_t>(first), &same_bits<double>));
    });
}

TEST_CASE("infinities and NaN of some ranks in forms that do not wait") {
    on_machines([](const topo::hierarchy& levels, std::uint32_t) {
        const int rank = levels.whole_rank(), ranks = levels.whole_size();
        const double infinity = std::numeric_limits<double>::infinity(),
                     none = std::numeric_limits<double>::quiet_NaN();
        std::vector<double> mine(5, 1.0), sum(5), up_to(5);
        auto all = topo::all_reduce_init(levels, mine, sum, reproducible{});
        auto before = topo::scan_init(levels, mine, up_to, reproducible{});
        for (int round = 0; round < 2; ++round) {
            if (rank == ranks - 1) mine[1] = mine[2] = infinity;
            if (rank == 0 && round == 1) mine[2] = -none;
            all.start();
            before.start();
            before.wait();
            all.wait();
            const bool has_nan = round == 1 && (rank == 0 || ranks > 1);
            CHECK(sum[0] == ranks);
            CHECK(sum[1] == infinity);
            CHECK(same_bits(sum[2], has_nan ? none : infinity));
            CHECK(up_to[0] == rank + 1);
            CHECK(up_to[1] == (rank == ranks - 1 ? infinity : rank + 1));
            if (round == 1) CHECK(same_bits(up_to[2], none));
        }
    });
}

TEST_CASE("sums that do not fit into two numbers, waited for in opposite orders") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:8 core:2"),
                                 topo::placement::core_by_core()};
    const int rank = world.rank();
    // On the first two nodes: neither of both sums of a node is lost, but their sum is.
    const double number = rank == 0 ? 1e300 : rank == 2 ? 1e-300 : rank == 3 ? -1e300 : 1;
    const std::vector<double> mine(40, number);
    std::vector<double> one(40), other(40);
    for (int i = 0; i < 5; ++i) {
        auto first = topo::iall_reduce(levels, mine, one, reproducible{});
        auto second = topo::iall_reduce(levels, mine, other, reproducible{});
        (rank % 2 == 0 ? first : second).wait();
        (rank % 2 == 0 ? second : first).wait();
        CHECK(same(one, other));
        if (world.size() >= 4) CHECK(one == std::vector<double>(40, world.size() - 3));
    }
}

TEST_CASE("forms that do not wait refuse sizes that differ, and a start of one that is active") {
    const topo::hierarchy levels{boost::mpi::communicator{}};
    std::vector<double> two(2), three(3);
    const auto ranks = static_cast<std::size_t>(levels.whole_size());
    std::vector<double> blocks(2 * ranks + 1);
    const auto refused = [](auto call, const char* name, const char* what) {
        topo_test::check_fails<topo::argument_error>(call, {name, what});
    };
    constexpr reproducible op;
    refused([&] { topo::all_reduce_init(levels, two, three, op).free(); }, "topo::all_reduce_init", "3");
    refused([&] { topo::reduce_init(levels, two, two, op, levels.whole_size()).free(); }, "topo::reduce_init",
            "root");
    refused([&] { topo::iscan(levels, two, three, op).wait(); }, "topo::iscan", "3");
    refused([&] { topo::exclusive_scan_init(levels, two, three, op).free(); }, "topo::exclusive_scan_init",
            "3");
    refused([&] { topo::ireduce_scatter(levels, blocks, two, op).wait(); }, "topo::ireduce_scatter",
            "elements");
    refused([&] { topo::reduce_scatter_init(levels, blocks, two, op).free(); }, "topo::reduce_scatter_init",
            "elements");
    auto step = topo::all_reduce_init(levels, two, two, op);
    step.start();
    topo_test::check_fails<topo::usage_error>([&] { step.start(); },
                                              {"topo::all_reduce_init", "it is active already"});
    step.wait();
}

} // namespace reproducible_forms_tests
