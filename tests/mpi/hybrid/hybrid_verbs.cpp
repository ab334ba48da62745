// SPDX-License-Identifier: BSL-1.0
// Hybrid verbs, whose results are once per node: every way, on every machine, from every root, against a
// serial computation; and many calls in a row by ranks that come, read and go at random times.
#include "support/check_fails.hpp"
#include "support/collective_calls.hpp"
#include "support/hybrid_calls.hpp"
#include "support/made_up.hpp"
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/all_gather.hpp>
#include <topomp/hybrid/all_gatherv.hpp>
#include <topomp/hybrid/all_reduce.hpp>
#include <topomp/hybrid/broadcast.hpp>
#include <topomp/hybrid/reduce.hpp>
#include <topomp/memory/shared_window.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <unistd.h>
#include <vector>

namespace hybrid_verbs_tests {

namespace {

namespace hybrid = topo::hybrid;
using number = std::uint64_t;
using window = topo::shared_window<number>;
using topo_test::hybrid_way, topo_test::number_of, topo_test::function_of;

/// Nothing, one, an odd few, and more than the segment of an operand that is combined at a time.
constexpr std::array<std::size_t, 4> lengths{0, 1, 37, 9001};

/// A hierarchy and what is on it: results of a length, the operands of all ranks, and memory that is none of
/// these.
struct stage {
    const topo::hierarchy& levels;
    std::size_t count;
    topo_test::complaints& wrong;
    std::string where;
    topo::window_options one = hybrid::one_copy;
    topo::window_options of_each{.sharers = one.sharers};

    int rank = levels.whole().rank(), size = levels.whole().size();
    window before{levels, 16, of_each};
    window result{levels, count, one};
    window operands{levels, count, of_each};
    window all{levels, count* static_cast<std::size_t>(size), one};
    window all_unequal{levels, total(), one};
    window behind{levels, 16, of_each};
    number call = 0;

    std::size_t count_of(int of) const { return static_cast<std::size_t>(of % 3) * count / 2; }
    std::size_t total() const {
        std::size_t sum = 0;
        for (int each = 0; each < size; ++each)
            sum += count_of(each);
        return sum;
    }

    template <class Element>
    std::vector<number> data(Element element, std::size_t length) const {
        std::vector<number> made(length);
        for (std::size_t i = 0; i < length; ++i)
            made[i] = element(i);
        return made;
    }
    std::vector<number> mine() const {
        return data([&](std::size_t i) { return number_of(rank, i, call); }, count);
    }

    template <class Expected>
    void expect(const window& got, Expected expected, const std::string& what, const hybrid_way& algorithm) {
        const auto elements = got.all();
        bool is_right = true;
        for (std::size_t i = 0; i < elements.size(); ++i)
            is_right = is_right && elements[i] == expected(i);
        wrong.expect(is_right,
                     what + " by " + algorithm.name + " of " + std::to_string(count) + " on " + where);
    }

    number sum_at(std::size_t i) const {
        number sum = 0;
        for (int each = 0; each < size; ++each)
            sum += number_of(each, i, call);
        return sum;
    }
    number joined_at(std::size_t i) const {
        number joined = function_of(0, i, call);
        for (int each = 1; each < size; ++each)
            joined = topo_test::after_one_another{}(joined, function_of(each, i, call));
        return joined;
    }

    template <class Between>
    void broadcast(int root, const hybrid_way& algorithm) {
        ++call;
        const auto from_root = [&](std::size_t i) { return number_of(root, i, call); };
        hybrid::broadcast(levels, rank == root ? mine() : std::vector<number>{}, result, root,
                          algorithm.by<Between>());
        expect(result, from_root, "broadcast from " + std::to_string(root), algorithm);
        ++call;
        result.fence(); // all have read
        if (rank == root) std::ranges::copy(mine(), result.begin());
        hybrid::broadcast(levels, result, root, algorithm.by<Between>());
        expect(result, from_root, "broadcast in place from " + std::to_string(root), algorithm);
    }

    template <class Between>
    void reduce(int root, const hybrid_way& algorithm) {
        ++call;
        hybrid::reduce(levels, mine(), result, std::plus<>{}, root, algorithm.by<Between>());
        const bool has_root = is_beside(root);
        const std::string text = "to " + std::to_string(root);
        if (has_root)
            expect(
                result, [&](std::size_t i) { return sum_at(i); }, "reduce " + text, algorithm);
        ++call;
        std::ranges::copy(mine(), operands.local().begin());
        hybrid::reduce(levels, operands, result, std::plus<>{}, root, algorithm.by<Between>());
        if (has_root)
            expect(
                result, [&](std::size_t i) { return sum_at(i); }, "reduce of a window " + text, algorithm);
        ++call;
        const auto functions = data([&](std::size_t i) { return function_of(rank, i, call); }, count);
        hybrid::reduce(levels, functions, result, topo_test::after_one_another{}, root,
                       algorithm.by<Between>());
        if (has_root)
            expect(
                result, [&](std::size_t i) { return joined_at(i); }, "reduce in order " + text, algorithm);
    }

    template <class Between>
    void all_reduce(const hybrid_way& algorithm) {
        ++call;
        hybrid::all_reduce(levels, mine(), result, std::plus<>{}, algorithm.by<Between>());
        expect(
            result, [&](std::size_t i) { return sum_at(i); }, "all_reduce", algorithm);
        ++call;
        std::ranges::copy(mine(), operands.local().begin()); // no rank reads the last ones any more
        hybrid::all_reduce(levels, operands, result, std::plus<>{}, algorithm.by<Between>());
        expect(
            result, [&](std::size_t i) { return sum_at(i); }, "all_reduce of a window", algorithm);
        ++call;
        const auto functions = data([&](std::size_t i) { return function_of(rank, i, call); }, count);
        hybrid::all_reduce(levels, functions, result, topo_test::after_one_another{},
                           algorithm.by<Between>());
        expect(
            result, [&](std::size_t i) { return joined_at(i); }, "all_reduce in order", algorithm);
    }

    template <class Between>
    void all_gather(const hybrid_way& algorithm) {
        const auto of_all = [&](std::size_t i) {
            return number_of(static_cast<int>(i / count), i % count, call);
        };
        ++call;
        hybrid::all_gather(levels, mine(), all, algorithm.by<Between>());
        expect(all, of_all, "all_gather", algorithm);
        ++call;
        all.fence();
        std::ranges::copy(mine(), hybrid::block_of(levels, all, rank).begin());
        hybrid::all_gather(levels, all, algorithm.by<Between>());
        expect(all, of_all, "all_gather in place", algorithm);
    }

    template <class Between>
    void all_gatherv(const hybrid_way& algorithm) {
        std::vector<std::size_t> counts;
        std::vector<number> expected;
        const auto gather = [&] {
            ++call;
            counts.clear();
            expected.clear();
            for (int each = 0; each < size; ++each) {
                counts.push_back(count_of(each));
                for (std::size_t i = 0; i < counts.back(); ++i)
                    expected.push_back(number_of(each, i, call));
            }
        };
        const auto is_expected = [&](std::size_t i) { return expected[i]; };
        gather();
        const auto own = static_cast<std::size_t>(rank);
        auto block = mine();
        block.resize(counts[own], 0);
        for (std::size_t i = 0; i < block.size(); ++i)
            block[i] = number_of(rank, i, call);
        hybrid::all_gatherv(levels, block, all_unequal, counts, algorithm.by<Between>());
        expect(all_unequal, is_expected, "all_gatherv", algorithm);
        gather();
        const auto position = std::accumulate(
            counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(own), std::size_t{0});
        all_unequal.fence();
        for (std::size_t i = 0; i < counts[own]; ++i)
            all_unequal.all()[position + i] = number_of(rank, i, call);
        hybrid::all_gatherv(levels, all_unequal, counts, algorithm.by<Between>());
        expect(all_unequal, is_expected, "all_gatherv in place", algorithm);
    }

    template <class Between>
    void every_verb(const hybrid_way& algorithm, const std::vector<int>& roots) {
        for (const int root : roots) {
            broadcast<Between>(root, algorithm);
            reduce<Between>(root, algorithm);
        }
        all_reduce<Between>(algorithm);
        all_gather<Between>(algorithm);
        all_gatherv<Between>(algorithm);
    }

    /// Whether a rank is in the calling rank's node. @collective over the whole
    bool is_beside(int other) const {
        int first = rank;
        MPI_Bcast(&first, 1, MPI_INT, 0, result.comm());
        int of_other = first;
        MPI_Bcast(&of_other, 1, MPI_INT, other, levels.whole());
        return first == of_other;
    }

    /// Nothing was written beside the windows.
    void expect_no_more() {
        before.fence();
        for (const number each : before)
            wrong.expect(each == 0, "written in front of the results");
        for (const number each : behind)
            wrong.expect(each == 0, "written behind the results");
    }
};

} // namespace

TEST_CASE("every way, from every root") {
    const boost::mpi::communicator world;
    topo_test::complaints wrong;
    const auto ways = topo_test::hybrid_ways();
    const std::size_t step = world.size() > 16       ? 7
                             : topo_test::is_watched ? 11
                             : topo_test::stride > 1 ? 5
                                                     : 1;
    std::size_t turn = 0;
    for (const auto& made_up : topo_test::few_scenarios_of_many(world.size())) {
        const topo::hierarchy levels{world, made_up.on, made_up.rule};
        for (const std::size_t count : lengths) {
            stage on{levels, count, wrong, made_up.name};
            // Few ranks: all ways from all roots; else a sample that meets all of them.
            const bool is_long = count == lengths.back();
            for (const auto& algorithm : ways) {
                ++turn;
                if (turn % (is_long ? 3 * step : step) != 0) continue;
                const auto roots = is_long || step > 1
                                       ? std::vector<int>{static_cast<int>(turn) % world.size()}
                                       : topo_test::roots(world.size());
                if (turn % 2 == 0)
                    on.every_verb<topo::automatic>(algorithm, roots);
                else
                    on.every_verb<topo::flat>(algorithm, roots);
            }
            on.expect_no_more();
        }
    }
    CHECK(turn > 0);
    CHECK(wrong.text() == "");
}

TEST_CASE("ranks come, read and go at random times") {
    const boost::mpi::communicator world;
    topo_test::complaints wrong;
    const auto ways = topo_test::hybrid_ways();
    topo_test::dice order{7}; // the same on all ranks
    topo_test::dice delay{static_cast<std::uint32_t>(100 + world.rank())};
    const auto sleep_sometimes = [&] {
        if (delay.one_in(4)) usleep(static_cast<unsigned>(delay.up_to(300)));
    };
    for (const auto& made_up : topo_test::few_scenarios_of_many(world.size())) {
        const topo::hierarchy levels{world, made_up.on, made_up.rule};
        stage on{levels, 1 + static_cast<std::size_t>(order.up_to(300)), wrong, made_up.name};
        std::vector<number> mine(on.count);
        const int calls =
            world.size() > 16 ? 4 : (topo_test::is_watched ? 40 : 200) / static_cast<int>(topo_test::stride);
        for (int i = 0; i < calls; ++i) {
            const auto& algorithm =
                ways[static_cast<std::size_t>(order.up_to(static_cast<int>(ways.size()) - 1))];
            const int verb = order.up_to(3), root = order.up_to(world.size() - 1);
            ++on.call;
            sleep_sometimes();
            std::ranges::copy(on.mine(), mine.begin());
            if (verb == 0) hybrid::broadcast(levels, mine, on.result, root, algorithm.by<topo::automatic>());
            if (verb == 1)
                hybrid::all_reduce(levels, mine, on.result, std::plus<>{}, algorithm.by<topo::automatic>());
            if (verb == 2) hybrid::all_gather(levels, mine, on.all, algorithm.by<topo::automatic>());
            if (verb == 3)
                hybrid::reduce(levels, mine, on.result, std::plus<>{}, root, algorithm.by<topo::automatic>());
            std::ranges::fill(mine, 0); // it is this rank's again
            sleep_sometimes();
            if (verb == 0)
                on.expect(
                    on.result, [&](std::size_t j) { return number_of(root, j, on.call); }, "broadcast",
                    algorithm);
            if (verb == 1)
                on.expect(
                    on.result, [&](std::size_t j) { return on.sum_at(j); }, "all_reduce", algorithm);
            if (verb == 2)
                on.expect(
                    on.all,
                    [&](std::size_t j) {
                        return number_of(static_cast<int>(j / on.count), j % on.count, on.call);
                    },
                    "all_gather", algorithm);
            if (verb == 3 && world.rank() == root)
                on.expect(
                    on.result, [&](std::size_t j) { return on.sum_at(j); }, "reduce", algorithm);
        }
    }
    CHECK(wrong.text() == "");
}

TEST_CASE("floating-point sums are the same bits on all nodes and each time") {
    const boost::mpi::communicator world;
    for (const auto& made_up : topo_test::few_scenarios_of_many(world.size())) {
        const topo::hierarchy levels{world, made_up.on, made_up.rule};
        topo::shared_window<double> sum{levels, 1000, hybrid::one_copy};
        std::vector<double> mine(1000), first;
        for (std::size_t i = 0; i < mine.size(); ++i)
            mine[i] = 1.0 / static_cast<double>(1 + number_of(world.rank(), i, 3) % 1000003);
        for (int again = 0; again < 3; ++again) {
            usleep(static_cast<unsigned>((world.rank() + again) % 3) * 100U);
            hybrid::all_reduce(levels, mine, sum, std::plus<>{});
            std::vector<double> of_first(sum.begin(), sum.end());
            if (first.empty()) first = of_first;
            CHECK(first == of_first);
            MPI_Bcast(of_first.data(), 1000, MPI_DOUBLE, 0, world);
            CHECK(first == of_first);
        }
    }
}

TEST_CASE("a copy in each NUMA node") {
    const boost::mpi::communicator world;
    topo_test::complaints wrong;
    const auto ways = topo_test::hybrid_ways();
    const std::size_t step = world.size() > 16 ? 13 : topo_test::is_watched || topo_test::stride > 1 ? 5 : 1;
    const auto machines = topo_test::scenarios(world.size());
    std::size_t turn = 0;
    for (const std::size_t chosen : {4U, 5U, 6U, 9U}) { // without NUMA nodes, with some, with ranks in none
        const auto& made_up = machines[chosen];
        const topo::hierarchy levels{world, made_up.on, made_up.rule};
        stage on{levels, 37, wrong, made_up.name, hybrid::one_copy_per_numa_node};
        for (const auto& algorithm : ways)
            if (++turn % step == 0)
                on.every_verb<topo::automatic>(algorithm, {static_cast<int>(turn) % world.size()});
        on.expect_no_more();
        const topo::level* const numa = levels.find(topo::kind::numa_node);
        if (numa != nullptr) CHECK(on.result.comm().size() <= numa->size());
    }
    CHECK(wrong.text() == "");

    const topo::hierarchy pairs{world, topo::machine::parse("numa:64 core:1"),
                                topo::placement::core_by_core()};
    window of_node{pairs, 5, hybrid::one_copy}, parts{pairs, 5, hybrid::one_copy_per_numa_node};
    if (of_node.comm().size() > 1)
        topo_test::check_fails<topo::argument_error>(
            [&] { hybrid::all_reduce(pairs, parts, of_node, std::plus<>{}); }, {"operands", "other ranks"});
}

TEST_CASE("mistakes of one rank are refused before anything is sent") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:4"),
                                 topo::placement::core_by_core()};
    window result{levels, 4, hybrid::one_copy};
    const std::vector<number> three(3);
    const std::vector<std::size_t> counts(static_cast<std::size_t>(world.size()) + 1, 1);
    using topo_test::check_fails;
    check_fails<topo::argument_error>([&] { hybrid::broadcast(levels, result, world.size()); },
                                      {"topo::hybrid::broadcast"});
    check_fails<topo::argument_error>([&] { hybrid::all_reduce(levels, three, result, std::plus<>{}); },
                                      {"topo::hybrid::all_reduce", "elements", "3", "4"});
    check_fails<topo::argument_error>([&] { hybrid::reduce(levels, three, result, std::plus<>{}, 0); },
                                      {"topo::hybrid::reduce", "3", "4"});
    check_fails<topo::argument_error>([&] { hybrid::all_gather(levels, three, result); },
                                      {"topo::hybrid::all_gather", "window", "4"});
    check_fails<topo::argument_error>([&] { hybrid::all_gatherv(levels, three, result, counts); },
                                      {"topo::hybrid::all_gatherv", "counts"});
}

} // namespace hybrid_verbs_tests
