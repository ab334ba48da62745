// SPDX-License-Identifier: BSL-1.0
// All verbs in their persistent and non-blocking forms, against sums made by hand.
#include "support/check_fails.hpp"
#include "support/kept_hierarchy.hpp"
#include "support/made_up.hpp"
#include "support/prepared_sums.hpp"
#include <topomp/algorithm/context/context.hpp>
#include <topomp/collective/all_gather_init.hpp>
#include <topomp/collective/all_gatherv_init.hpp>
#include <topomp/collective/all_reduce_init.hpp>
#include <topomp/collective/all_to_all_init.hpp>
#include <topomp/collective/all_to_allv_init.hpp>
#include <topomp/collective/barrier_init.hpp>
#include <topomp/collective/broadcast_init.hpp>
#include <topomp/collective/exclusive_scan_init.hpp>
#include <topomp/collective/gather_init.hpp>
#include <topomp/collective/gatherv_init.hpp>
#include <topomp/collective/iall_gather.hpp>
#include <topomp/collective/iall_gatherv.hpp>
#include <topomp/collective/iall_reduce.hpp>
#include <topomp/collective/iall_to_all.hpp>
#include <topomp/collective/iall_to_allv.hpp>
#include <topomp/collective/ibarrier.hpp>
#include <topomp/collective/ibroadcast.hpp>
#include <topomp/collective/iexclusive_scan.hpp>
#include <topomp/collective/igather.hpp>
#include <topomp/collective/igatherv.hpp>
#include <topomp/collective/ireduce.hpp>
#include <topomp/collective/ireduce_scatter.hpp>
#include <topomp/collective/iscan.hpp>
#include <topomp/collective/iscatter.hpp>
#include <topomp/collective/iscatterv.hpp>
#include <topomp/collective/persistent.hpp>
#include <topomp/collective/reduce_init.hpp>
#include <topomp/collective/reduce_scatter_init.hpp>
#include <topomp/collective/scan_init.hpp>
#include <topomp/collective/scatter_init.hpp>
#include <topomp/collective/scatterv_init.hpp>
#include <topomp/collective/wait.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/plan/policy.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/operations.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <random>
#include <utility>
#include <vector>

namespace persistent_tests {

namespace {

using numbers = std::vector<int>;

int number_of(int rank, int round, std::size_t i) {
    return 1000 * round + 31 * rank + static_cast<int>(i % 89);
}

/// Blocks of different lengths, some empty: of what a rank gives, or has for another.
std::size_t length_of(int rank) { return static_cast<std::size_t>((3 * rank + 1) % 4); }
std::size_t length_for(int from, int to) { return static_cast<std::size_t>((from + 2 * to) % 4); }

/// The policies of one run. Those of a group serve all its verbs.
struct by_default {
    using tree = topo::automatic;
    using ordered = topo::automatic;
    using all = topo::automatic;
    using exchange = topo::automatic;
    using unequal = topo::automatic;
    using blocks = topo::automatic;
};
struct by_mpi {
    using tree = topo::flat;
    using ordered = topo::flat;
    using all = topo::flat;
    using exchange = topo::flat;
    using unequal = topo::flat;
    using blocks = topo::flat;
};
struct by_chains {
    using tree = topo::segmented<64, topo::chain>;
    using ordered = topo::chain;
    using all = topo::ring;
    using exchange = topo::pairwise;
    using unequal = topo::pairwise;
    using blocks = topo::recursive_halving;
};
struct by_lanes {
    using tree = topo::lanes<topo::binomial, topo::linear>;
    using ordered = topo::in_order_binary;
    using all = topo::bruck;
    using exchange = topo::bruck;
    using unequal = topo::pairwise;
    using blocks = topo::lanes<topo::linear, topo::linear>;
};

/// The buffers of one call of each verb.
struct all_verbs {
    const topo::hierarchy& levels;
    std::size_t count;
    int rank = levels.whole().rank(), size = levels.whole().size(), root = size / 2;
    std::size_t ranks = static_cast<std::size_t>(size);

    numbers spread = numbers(count), mine = spread, reduced = spread, everywhere = spread, before = spread,
            up_to = spread, scattered = spread, block = spread;
    numbers gathered = numbers(count * ranks), all = gathered, for_all = gathered, exchanged = gathered;
    numbers counts, own = numbers(length_of(rank)), all_unequal, gathered_unequal, dealt = own;
    numbers out_counts, in_counts, out, in;
    numbers for_whom; ///< of the root, for scatterv
    int last = 0, given = 0;

    all_verbs(const topo::hierarchy& where, std::size_t elements) : levels(where), count(elements) {
        std::size_t sum = 0, sent = 0, coming = 0;
        for (int other = 0; other < size; ++other) {
            counts.push_back(static_cast<int>(length_of(other)));
            out_counts.push_back(static_cast<int>(length_for(rank, other)));
            in_counts.push_back(static_cast<int>(length_for(other, rank)));
            sum += length_of(other);
            sent += length_for(rank, other);
            coming += length_for(other, rank);
        }
        all_unequal.resize(sum);
        gathered_unequal.resize(rank == root ? sum : 0);
        for_whom.resize(rank == root ? sum : 0);
        out.resize(sent);
        in.resize(coming);
        gathered.resize(rank == root ? count * ranks : 0);
    }

    void fill(int round) {
        const auto put = [&](numbers& to, int of_rank) {
            for (std::size_t i = 0; i < to.size(); ++i)
                to[i] = number_of(of_rank, round, i);
        };
        for (numbers* each : {&spread, &mine, &for_all, &own, &out, &for_whom})
            put(*each, rank);
        for (numbers* each : {&reduced, &everywhere, &before, &up_to, &scattered, &block, &gathered, &all,
                              &exchanged, &all_unequal, &gathered_unequal, &dealt, &in})
            std::fill(each->begin(), each->end(), -1);
        given = number_of(rank, round, 5);
        last = -1;
    }

    /// Of the verb's two forms the one that is wanted.
    template <class By, bool IsPersistent>
    auto begin() {
        using result = std::conditional_t<IsPersistent, topo::persistent, topo::request>;
        const auto second = [](int, int b) { return b; }; // not commutative
        typename By::tree tree;
        typename By::ordered ordered;
        typename By::all all_policy;
        typename By::exchange exchange;
        typename By::unequal unequal;
        typename By::blocks by_blocks;
        std::conditional_t<std::is_same_v<By, by_mpi> || std::is_same_v<By, by_default>, typename By::ordered,
                           topo::linear>
            rooted;
        std::conditional_t<std::is_same_v<By, by_mpi> || std::is_same_v<By, by_default>, typename By::ordered,
                           topo::binomial>
            rooted_v;
        const std::plus<> sum;
        std::vector<result> made;
        const auto one = [&]<class Init, class Start>(Init init, Start start) {
            if constexpr (IsPersistent)
                made.push_back(init());
            else
                made.push_back(start());
        };
#define BOTH(verb, start, ...)                                                                               \
    one([&] { return topo::verb##_init(levels, __VA_ARGS__); },                                              \
        [&] { return topo::start(levels, __VA_ARGS__); })
        BOTH(barrier, ibarrier, ordered);
        BOTH(broadcast, ibroadcast, spread, root, tree);
        BOTH(reduce, ireduce, mine, reduced, sum, root, tree);
        BOTH(all_reduce, iall_reduce, mine, everywhere, sum, tree);
        BOTH(all_reduce, iall_reduce, given, last, second, ordered);
        BOTH(gather, igather, mine, gathered, root, rooted);
        BOTH(scatter, iscatter, for_all, scattered, root, rooted);
        BOTH(gatherv, igatherv, own, gathered_unequal, counts, root, rooted_v);
        BOTH(scatterv, iscatterv, for_whom, counts, dealt, root, rooted_v);
        BOTH(all_gather, iall_gather, mine, all, all_policy);
        BOTH(all_gatherv, iall_gatherv, own, all_unequal, counts, all_policy);
        BOTH(all_to_all, iall_to_all, for_all, exchanged, exchange);
        BOTH(all_to_allv, iall_to_allv, out, out_counts, in, in_counts, unequal);
        BOTH(reduce_scatter, ireduce_scatter, for_all, block, sum, by_blocks);
        BOTH(scan, iscan, mine, up_to, sum, ordered);
        BOTH(exclusive_scan, iexclusive_scan, mine, before, sum, ordered);
#undef BOTH
        return made;
    }

    void check(int round) const {
        numbers sum(count), below(count), through(count), blocks_sum(count), gathered_all, unequal_all, to_me,
            unequal_to_me, my_part;
        const auto mine_of = [&](int of_rank, std::size_t n) {
            numbers result(n);
            for (std::size_t i = 0; i < n; ++i)
                result[i] = number_of(of_rank, round, i);
            return result;
        };
        std::size_t begin_of_mine = 0;
        for (int other = 0; other < size; ++other) {
            const numbers theirs = mine_of(other, count), their_all = mine_of(other, count * ranks);
            for (std::size_t i = 0; i < count; ++i) {
                sum[i] += theirs[i];
                if (other < rank) below[i] += theirs[i];
                if (other <= rank) through[i] += theirs[i];
                blocks_sum[i] += their_all[static_cast<std::size_t>(rank) * count + i];
                to_me.push_back(their_all[static_cast<std::size_t>(rank) * count + i]);
            }
            gathered_all.insert(gathered_all.end(), theirs.begin(), theirs.end());
            const numbers short_one = mine_of(other, length_of(other));
            unequal_all.insert(unequal_all.end(), short_one.begin(), short_one.end());
            std::size_t begin = 0;
            for (int before_me = 0; before_me < rank; ++before_me)
                begin += length_for(other, before_me);
            for (std::size_t i = 0; i < length_for(other, rank); ++i)
                unequal_to_me.push_back(number_of(other, round, begin + i));
            if (other < rank) begin_of_mine += length_of(other);
        }
        for (std::size_t i = 0; i < length_of(rank); ++i)
            my_part.push_back(number_of(root, round, begin_of_mine + i));
        const bool is_root = rank == root;
        CHECK(spread == mine_of(root, count));
        CHECK(reduced == (is_root ? sum : numbers(count, -1)));
        CHECK(everywhere == sum);
        CHECK(last == number_of(size - 1, round, 5));
        CHECK(gathered == (is_root ? gathered_all : numbers{}));
        const numbers of_root = mine_of(root, count * ranks);
        const auto first =
            of_root.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(rank) * count);
        CHECK(scattered == numbers(first, first + static_cast<std::ptrdiff_t>(count)));
        CHECK(gathered_unequal == (is_root ? unequal_all : numbers{}));
        CHECK(dealt == my_part);
        CHECK(all == gathered_all);
        CHECK(all_unequal == unequal_all);
        CHECK(exchanged == to_me);
        CHECK(in == unequal_to_me);
        CHECK(block == blocks_sum);
        CHECK(up_to == through);
        if (rank > 0) CHECK(before == below);
    }
};

template <class By>
void check_all(const topo::hierarchy& levels) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{203}}) {
        all_verbs first{levels, count}, second{levels, count};
        auto of_first = first.begin<By, true>(), of_second = second.begin<By, true>();
        std::mt19937 order{static_cast<unsigned>(levels.whole().rank() + 1)};
        for (int round = 0; round < 3; ++round) {
            first.fill(round);
            second.fill(round + 7);
            for (std::size_t i = 0; i < of_first.size(); ++i) {
                of_first[i].start();
                of_second[i].start();
                CHECK(of_first[i].active());
            }
            if (round == 0) { // in an order of this rank's own
                std::vector<topo::persistent*> all;
                for (auto& each : of_first)
                    all.push_back(&each);
                for (auto& each : of_second)
                    all.push_back(&each);
                std::shuffle(all.begin(), all.end(), order);
                for (auto* each : all)
                    each->wait();
            } else if (topo::detail::is_simulated) {
                // SimGrid's MPI_Testany (3.32) passes over non-blocking collectives of the MPI's own.
                topo::wait_all(of_second);
                topo::wait_all(of_first);
            } else if (round == 1) {
                topo::wait_all(of_second);
                std::size_t ended = 0;
                while (topo::wait_any(of_first) != of_first.end())
                    ++ended;
                CHECK(ended == of_first.size());
            } else {
                while (!topo::test_all(of_first) || !topo::test_all(of_second)) {
                }
            }
            first.check(round);
            second.check(round + 7);
        }
        first.fill(11);
        topo::request together{first.begin<By, false>()};
        together.wait();
        CHECK(!together.active());
        first.check(11);
    }
}

/// A test case for each policy: SimGrid, which keeps each message that a rank has tested for, runs each by
/// itself.
template <class By>
void check_everywhere() {
    const boost::mpi::communicator world;
    for (const auto& each : topo_test::scenarios(world.size())) {
        INFO(each.name);
        check_all<By>(topo_test::hierarchy_on(world, each));
    }
}

} // namespace

TEST_CASE("all verbs, prepared once and started three times, and in the background: by default") {
    check_everywhere<by_default>();
}

TEST_CASE("all verbs, prepared once and started three times, and in the background: by the MPI's own") {
    check_everywhere<by_mpi>();
}

TEST_CASE("all verbs, prepared once and started three times, and in the background: along chains") {
    check_everywhere<by_chains>();
}

TEST_CASE("all verbs, prepared once and started three times, and in the background: by lanes") {
    check_everywhere<by_lanes>();
}

TEST_CASE("all_reduces of all lengths at once, in place as well") {
    const boost::mpi::communicator world;
    constexpr std::array<std::size_t, 6> counts{0, 1, 100, 1000, 9000, 70000};
    for (const auto& each : topo_test::scenarios(world.size())) {
        INFO(each.name);
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        topo_test::prepared_sums all{counts, [&](numbers& mine, numbers& sums) {
                                         return topo::all_reduce_init(levels, mine, sums, std::plus<>{});
                                     }};
        for (int round = 0; round < 3; ++round) {
            all.fill(world.rank(), round);
            for (auto& step : all.steps)
                step.start();
            topo::wait_all(all.steps);
            all.check(world.size(), round);
        }
    }
}

TEST_CASE("tags of a persistent collective are given to no other one while it lives") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world};
    auto& ranks = topo::detail::context::of(levels);
    const auto overlap = [](const topo::detail::fixed_tags& a, const topo::detail::fixed_tags& b) {
        return a.first < b.first + b.number && b.first < a.first + a.number;
    };
    const auto lasting = ranks.reserve_tags();
    auto other = ranks.reserve_tags(); // which ranks give back at different times
    bool is_apart = true;
    for (int i = 0; i < 2000; ++i) {
        if (i == 1530 + world.rank()) other = {};
        const auto next = ranks.reserve_tags();
        is_apart = is_apart && !overlap(lasting, next) && (other.number == 0 || !overlap(other, next)) &&
                   next.first + next.number <= 32768;
    }
    for (int i = 0; i < 3000; ++i) {
        const topo::detail::context::for_one_collective now;
        const auto next = ranks.reserve_tags();
        is_apart = is_apart && !overlap(lasting, next) && next.first + next.number <= 32768;
    }
    CHECK(is_apart);
    std::vector<topo::detail::reserved_tags> all;
    topo_test::check_fails<topo::usage_error>(
        [&] {
            while (all.size() < 2000)
                all.push_back(ranks.reserve_tags());
        },
        {"topo::persistent", "persistent collectives"});
    CHECK(all.size() == 1535);
    all.pop_back();
    all.push_back(ranks.reserve_tags());
}

TEST_CASE("starting twice, ending one that runs, using none") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:4"),
                                 topo::placement::core_by_core()};
    int mine = 1, sum = 0;
    topo::persistent none;
    CHECK(!none.is_made());
    CHECK_THROWS_WITH_AS(
        none.start(), doctest::Contains("topo::persistent::start: persistent: there is no collective in it"),
        topo::usage_error);
    none.wait();
    CHECK(none.test());
    auto step = topo::all_reduce_init(levels, mine, sum, std::plus<>{});
    CHECK(!step.active());
    step.wait(); // of an inactive one returns at once, as MPI_Wait does
    step.start();
    CHECK_THROWS_WITH_AS(
        step.start(),
        doctest::Contains("topo::all_reduce_init: topo::persistent::start: it is active already"),
        topo::usage_error);
    CHECK_THROWS_WITH_AS(step.free(), doctest::Contains("topo::all_reduce_init"), topo::usage_error);
    step.wait();
    CHECK(sum == world.size());
    step.free();
    CHECK(!step.is_made());
    auto other = topo::all_reduce_init(levels, mine, sum, std::plus<>{});
    other.start();
    topo::persistent moved{std::move(other)};
    CHECK(moved.active());
    moved.wait();
}

TEST_CASE("persistent and blocking verbs, and a hierarchy that its owner has left") {
    const boost::mpi::communicator world;
    int mine = world.rank(), sum = 0, lowest = -1;
    topo::persistent step;
    {
        const topo::hierarchy levels{world, topo::machine::parse("node:2 core:4"),
                                     topo::placement::round_robin()};
        step = topo::all_reduce_init(levels, mine, sum, std::plus<>{}, topo::binomial{});
        step.start();
        topo::iall_reduce(levels, mine, lowest, boost::mpi::minimum<int>{}).wait();
    }
    step.wait();
    CHECK(sum == world.size() * (world.size() - 1) / 2);
    CHECK(lowest == 0);
    step.start();
    step.wait();
    CHECK(sum == world.size() * (world.size() - 1) / 2);
}

} // namespace persistent_tests
