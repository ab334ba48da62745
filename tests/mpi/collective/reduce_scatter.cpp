// SPDX-License-Identifier: BSL-1.0
// reduce_scatter by every policy, on all kinds of made-up machines, against a serial computation: blocks of
// one length and of different lengths, in place, with types that have gaps, and in the order of ranks.
#include "support/check_fails.hpp"
#include "support/for_each_algorithm.hpp"
#include "support/joining.hpp"
#include "support/kept_hierarchy.hpp"
#include "support/made_up.hpp"
#include <topomp/algorithm/direct_messages.hpp>
#include <topomp/collective/ireduce_scatter.hpp>
#include <topomp/collective/reduce_scatter.hpp>
#include <topomp/collective/reduce_scatter_init.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace reduce_scatter_tests {

using topo::blocks;
using topo::message;
using topo::detail::verb;
using topo_test::affine;
using topo_test::affine_of;
using topo_test::for_each_algorithm;
using topo_test::is_served_in_background;

namespace {

struct policy_row {
    std::string name;
    bool keeps_order;
    void (*reduce_scatter)(const topo::hierarchy&, blocks, message, MPI_Op);
    std::string call = "topo::reduce_scatter"; ///< as errors name it
    template <class Policy>
    static policy_row of(std::string name, bool keeps_order) {
        return {std::move(name), keeps_order,
                [](const topo::hierarchy& levels, blocks input, message mine, MPI_Op op) {
                    topo::reduce_scatter(levels, input, mine, op, Policy{});
                }};
    }
    template <class Policy>
    static policy_row in_background_of(const std::string& name, bool keeps_order) {
        return {name + " in the background", keeps_order,
                [](const topo::hierarchy& levels, blocks input, message mine, MPI_Op op) {
                    topo::ireduce_scatter(levels, input, mine, op, Policy{}).wait();
                },
                "topo::ireduce_scatter"};
    }
};

const std::vector<policy_row>& policies() {
    using namespace topo;
    static const std::vector<policy_row> rows = [] {
        std::vector<policy_row> all{
            policy_row::of<automatic>("automatic", true),
            policy_row::of<binomial>("binomial", true),
            policy_row::of<segmented<100, per_level<on<kind::machine, chain>, otherwise<in_order_binary>>>>(
                "segmented, per level", true),
            policy_row::of<native>("native", true),
            policy_row::of<hierarchical<within<kind::machine, shared>, otherwise<direct_messages>>>(
                "hierarchical", true),
            policy_row::of<lanes<>>("lanes", true),
            policy_row::of<segmented<100, lanes<chain, in_order_binary>>>("lanes in segments", true),
            policy_row::of<lanes<binary>>("lanes, reordering", false),
            policy_row::of<k_ary<3>>("3-ary", false),
            policy_row::of<recursive_halving>("recursive halving", false),
        };
        for_each_algorithm<verb::reduce_scatter>([&]<class Policy>(const std::string& name) {
            constexpr bool keeps_order = !reorders(topo::detail::algorithm_of<Policy>);
            all.push_back(policy_row::of<Policy>(name, keeps_order));
            if constexpr (is_served_in_background<Policy>(verb::reduce_scatter))
                all.push_back(policy_row::in_background_of<Policy>(name, keeps_order));
        });
        return all;
    }();
    return rows;
}

/// How many elements each rank gets.
std::vector<std::size_t> lengths(int ranks, std::size_t longest) {
    std::vector<std::size_t> result;
    for (int rank = 0; rank < ranks; ++rank)
        result.push_back(static_cast<std::size_t>(rank * 5 + 3) % (longest + 1));
    return result;
}

/// One call's blocks, and what a rank must get of them.
struct arrangement {
    std::vector<std::size_t> counts;
    std::size_t equal = 0; ///< if there are no counts
    int ranks = 0;

    std::size_t count_of(int rank) const {
        return counts.empty() ? equal : counts[static_cast<std::size_t>(rank)];
    }
    std::size_t begin(int rank) const {
        std::size_t next = 0;
        for (int before = 0; before < rank; ++before)
            next += count_of(before);
        return next;
    }
    std::size_t end() const { return begin(ranks); }
};

int number(int rank, std::size_t i) { return rank * 1009 + static_cast<int>(i) * 7 + 1; }

enum class where { apart, own_place, beginning };

void check_sum(const topo::hierarchy& levels, const policy_row& by, const arrangement& layout, where place) {
    const int me = levels.whole().rank();
    std::vector<int> input(layout.end()), expected(layout.count_of(me));
    for (std::size_t i = 0; i < input.size(); ++i)
        input[i] = number(me, i);
    const auto before = input;
    for (std::size_t i = 0; i < expected.size(); ++i)
        for (int rank = 0; rank < layout.ranks; ++rank)
            expected[i] += number(rank, layout.begin(me) + i);
    std::vector<int> mine(expected.size() + 2, -1);
    message result{mine.data() + 1, expected.size(), MPI_INT};
    if (place == where::own_place) result.data = MPI_IN_PLACE;
    if (place == where::beginning) result.data = input.data();
    by.reduce_scatter(levels, {input.data(), MPI_INT, layout.equal, layout.counts}, result, MPI_SUM);

    const std::size_t at = place == where::own_place ? layout.begin(me) : 0;
    const auto* const first = place == where::apart ? mine.data() + 1 : input.data() + at;
    CHECK(std::equal(expected.begin(), expected.end(), first));
    CHECK(mine.front() == -1);
    CHECK(mine.back() == -1);
    if (place == where::apart) CHECK(input == before);
    if (place == where::own_place) {
        std::copy_n(before.begin() + static_cast<std::ptrdiff_t>(at), expected.size(),
                    input.begin() + static_cast<std::ptrdiff_t>(at));
        CHECK(input == before);
    }
}

} // namespace

TEST_CASE("through shared memory in more chunks than a rank has cells, call after call") {
    const boost::mpi::communicator world;
    const int ranks = world.size();
    const topo::hierarchy levels{world};
    const auto by = policy_row::of<topo::shared>("shared memory", true);
    for (const std::size_t size :
         {std::size_t{9}, ranks > 16 ? std::size_t{1001} : std::size_t{40001}, std::size_t{10}}) {
        check_sum(levels, by, {{}, size, ranks}, where::apart);
        check_sum(levels, by, {lengths(ranks, size), 0, ranks}, where::apart);
        check_sum(levels, by, {{}, size, ranks}, where::beginning);
    }
}

TEST_CASE("sums by every policy on every machine") {
    const boost::mpi::communicator world;
    const int ranks = world.size();
    const std::vector<std::size_t> sizes =
        ranks > 16 ? std::vector<std::size_t>{3} : std::vector<std::size_t>{0, 1, 7, 3001};
    for (const auto& each : topo_test::few_scenarios_of_many(ranks)) {
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        for (const auto& by : policies()) {
            INFO(each.name << ", " << by.name);
            for (const std::size_t size : sizes) {
                check_sum(levels, by, {{}, size, ranks}, where::apart);
                check_sum(levels, by, {lengths(ranks, size), 0, ranks}, where::apart);
                check_sum(levels, by, {lengths(ranks, size), 0, ranks}, where::own_place);
                check_sum(levels, by, {{}, size, ranks}, where::beginning);
            }
            auto only_one = std::vector<std::size_t>(static_cast<std::size_t>(ranks), 0);
            only_one[static_cast<std::size_t>(ranks) / 2] = 50;
            check_sum(levels, by, {only_one, 0, ranks}, where::apart);
        }
    }
}

TEST_CASE("operations that are not commutative: in the order of ranks, or refused") {
    const boost::mpi::communicator world;
    const int ranks = world.size(), me = world.rank();
    const topo_test::joining<affine> maps{&affine_of};
    for (const auto& each : topo_test::few_scenarios_of_many(ranks)) {
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        for (const auto& by : policies()) {
            INFO(each.name << ", " << by.name);
            const arrangement layout{lengths(ranks, 20), 0, ranks};
            std::vector<affine> input, mine(layout.count_of(me)), expected;
            for (std::size_t i = 0; i < layout.end(); ++i)
                input.push_back(affine_of(me, i));
            for (std::size_t i = layout.begin(me); i < layout.begin(me) + mine.size(); ++i) {
                expected.push_back(affine_of(0, i));
                for (int rank = 1; rank < ranks; ++rank)
                    expected.back() = join(expected.back(), affine_of(rank, i));
            }
            const auto call = [&] {
                by.reduce_scatter(levels, {input.data(), maps.type(), 0, layout.counts},
                                  {mine.data(), mine.size(), maps.type()}, maps.op());
            };
            if (by.keeps_order) {
                call();
                CHECK(mine == expected);
            } else {
                topo_test::check_fails<topo::argument_error>(call, {by.call, "not commutative"});
            }
        }
    }
}

TEST_CASE("types with gaps leave the gaps alone") {
    const boost::mpi::communicator world;
    const int ranks = world.size(), me = world.rank();
    MPI_Datatype sparse = MPI_DATATYPE_NULL; // an int and room for one more
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &sparse);
    MPI_Type_commit(&sparse);
    MPI_Op add = MPI_OP_NULL;
    MPI_Op_create(
        [](void* left, void* right, int* count, MPI_Datatype*) {
            for (int i = 0; i < *count; ++i)
                static_cast<int*>(right)[2 * i] += static_cast<int*>(left)[2 * i];
        },
        1, &add);
    for (const auto& each : topo_test::few_scenarios_of_many(ranks)) {
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        for (const auto& by : policies()) {
            INFO(each.name << ", " << by.name);
            std::vector<int> input(static_cast<std::size_t>(ranks) * 6, -5), mine(6, -5), expected(6, -5);
            for (std::size_t i = 0; i < input.size(); i += 2)
                input[i] = number(me, i);
            for (std::size_t i = 0; i < 6; i += 2) {
                expected[i] = 0;
                for (int rank = 0; rank < ranks; ++rank)
                    expected[i] += number(rank, static_cast<std::size_t>(me) * 6 + i);
            }
            by.reduce_scatter(levels, {input.data(), sparse, 3}, {mine.data(), 3, sparse}, add);
            CHECK(mine == expected);
        }
    }
    MPI_Op_free(&add);
    MPI_Type_free(&sparse);
}

TEST_CASE("typed forms") {
    const boost::mpi::communicator world;
    const auto ranks = static_cast<std::size_t>(world.size()), me = static_cast<std::size_t>(world.rank());
    const topo::hierarchy levels{world, topo::machine::parse("node:3 core:2"),
                                 topo::placement::round_robin()};
    std::vector<long> all(ranks * 2), mine(2);
    std::iota(all.begin(), all.end(), world.rank());
    const long others = static_cast<long>(ranks * (ranks - 1) / 2), times = static_cast<long>(ranks);
    const std::vector<long> expected{static_cast<long>(2 * me) * times + others,
                                     static_cast<long>(2 * me + 1) * times + others};
    topo::reduce_scatter(levels, all, mine, std::plus<>{});
    CHECK(mine == expected);
    CHECK(topo::reduce_scatter(levels, all, std::plus<>{}, topo::ring{}) == expected);
    CHECK(topo::reduce_scatter(levels, all, std::plus<>{}) == expected);
    std::vector<std::size_t> counts(ranks, 1);
    counts[0] = ranks + 1;
    std::vector<long> block(counts[me]);
    topo::reduce_scatter(levels, all, counts, block, std::plus<>{});
    const auto first = static_cast<long>(me == 0 ? 0 : ranks + me);
    for (std::size_t i = 0; i < block.size(); ++i)
        CHECK(block[i] == (first + static_cast<long>(i)) * times + others);
    const auto sums = block;
    topo::reduce_scatter(levels, all, counts, block, std::plus<>{}, topo::recursive_halving{});
    CHECK(block == sums);
    const auto last = [](long, long b) { return b; };
    CHECK(topo::reduce_scatter(levels, all, last, topo::chain{})[0] ==
          static_cast<long>(2 * me) + world.size() - 1);
}

TEST_CASE("a block of another datatype than the input is refused, unless it is empty") {
    const boost::mpi::communicator world;
    const auto ranks = static_cast<std::size_t>(world.size());
    const topo::hierarchy levels{world, topo::machine::parse("node:3 core:2"),
                                 topo::placement::round_robin()};
    MPI_Datatype spread = MPI_DATATYPE_NULL; // the same numbers, two ints apart
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &spread);
    MPI_Type_commit(&spread);
    std::vector<int> input(2 * ranks, 1), mine(4, -5);
    std::vector<std::size_t> counts(ranks, 1);
    counts.back() = 0;
    const bool is_last = world.rank() + 1 == world.size();
    for (const auto& by : policies()) {
        INFO(by.name);
        for (const MPI_Datatype other : {MPI_UNSIGNED, spread})
            topo_test::check_fails<topo::argument_error>(
                [&] {
                    by.reduce_scatter(levels, {input.data(), MPI_INT, 2}, {mine.data(), 2, other}, MPI_SUM);
                },
                {by.call + ": mine: its datatype (", "MPI_INT"});
        CHECK(mine == std::vector<int>(4, -5));
        int sum = 0;
        by.reduce_scatter(levels, {input.data(), MPI_INT, 0, counts},
                          is_last ? message{} : message{&sum, 1, MPI_INT}, MPI_SUM);
        CHECK(sum == (is_last ? 0 : world.size()));
    }
    const auto wrong = [&] {
        static_cast<void>(topo::reduce_scatter_init(levels, blocks{input.data(), MPI_INT, 2},
                                                    message{mine.data(), 2, MPI_UNSIGNED}, MPI_SUM));
    };
    topo_test::check_fails<topo::argument_error>(
        wrong, {"topo::reduce_scatter_init: mine: its datatype (MPI_UNSIGNED) is not that of the input"});
    MPI_Type_free(&spread);
}

TEST_CASE("wrong arguments are refused where they are seen") {
    const boost::mpi::communicator world;
    if (world.rank() != 0) return; // only this rank calls
    const boost::mpi::communicator alone{MPI_COMM_SELF, boost::mpi::comm_attach};
    const topo::hierarchy self{alone, topo::machine::parse("node:2 core:2"), topo::placement::round_robin()};
    using error = topo::argument_error;
    using topo_test::check_fails;
    const std::vector<std::size_t> two{1, 1}, one{3}, positions{0};
    std::vector<int> all(3), mine(2);
    check_fails<error>([&] { topo::reduce_scatter(self, all, two, mine, std::plus<>{}); },
                       {"topo::reduce_scatter: counts: there are 2"});
    check_fails<error>([&] { topo::reduce_scatter(self, all, one, mine, std::plus<>{}); },
                       {"topo::reduce_scatter: mine: it has room for 2 elements", "has 3"});
    check_fails<error>([&] { topo::reduce_scatter(self, mine, one, all, std::plus<>{}); },
                       {"topo::reduce_scatter: elements: there are 2", "have 3"});
    check_fails<error>([&] { topo::reduce_scatter(self, all, mine, std::plus<>{}); },
                       {"topo::reduce_scatter: elements: it has 3 elements"});
    check_fails<error>(
        [&] {
            topo::reduce_scatter(self, blocks{all.data(), MPI_INT, 0, one, positions}, message{MPI_IN_PLACE},
                                 MPI_SUM);
        },
        {"topo::reduce_scatter: positions"});
}

} // namespace reduce_scatter_tests
