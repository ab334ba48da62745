// SPDX-License-Identifier: BSL-1.0
// Collectives in the background: several at a time, waited for in any order, started without waiting for
// anybody.
#include "support/kept_hierarchy.hpp"
#include "support/made_up.hpp"
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/iall_gather.hpp>
#include <topomp/collective/iall_reduce.hpp>
#include <topomp/collective/iall_to_all.hpp>
#include <topomp/collective/ibarrier.hpp>
#include <topomp/collective/ibroadcast.hpp>
#include <topomp/collective/igatherv.hpp>
#include <topomp/collective/ireduce.hpp>
#include <topomp/collective/wait.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/memory/shared_window.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <random>
#include <utility>
#include <vector>

namespace requests_tests {

namespace {

/// Element i of a rank's data in a round.
int number_of(int rank, int round, std::size_t i) {
    return 1000 * round + 31 * rank + static_cast<int>(i % 89);
}

std::vector<int> data_of(int rank, int round, std::size_t count) {
    std::vector<int> data(count);
    for (std::size_t i = 0; i < count; ++i)
        data[i] = number_of(rank, round, i);
    return data;
}

std::vector<int> sum_of(int size, int round, std::size_t count) {
    std::vector<int> sum(count);
    for (int rank = 0; rank < size; ++rank)
        for (std::size_t i = 0; i < count; ++i)
            sum[i] += number_of(rank, round, i);
    return sum;
}

using pipeline = topo::segmented<64, topo::chain>;

/// One collective of each kind, with what comes in, what shall come out and what does.
struct round_of_six {
    const topo::hierarchy& levels;
    int round;
    std::size_t count;
    int rank = levels.whole().rank(), size = levels.whole().size(), root = round % size;
    std::size_t ranks = static_cast<std::size_t>(size);

    std::vector<int> spread = rank == root ? data_of(root, round, count) : std::vector<int>(count, -1);
    std::vector<int> mine = data_of(rank, round, count);
    std::vector<int> reduced = std::vector<int>(count, -1), everywhere = reduced;
    std::vector<int> gathered = std::vector<int>(count * ranks, -1), exchanged = gathered;
    std::vector<int> to_all = data_of(rank, round, count* ranks);

    template <class Tree, class Gather, class Exchange>
    std::vector<topo::request> start() {
        std::vector<topo::request> all;
        all.push_back(topo::ibroadcast(levels, spread, root, Tree{}));
        all.push_back(topo::ireduce(levels, mine, reduced, std::plus<>{}, root, Tree{}));
        all.push_back(topo::iall_reduce(levels, mine, everywhere, std::plus<>{}, Tree{}));
        all.push_back(topo::iall_gather(levels, mine, gathered, Gather{}));
        all.push_back(topo::iall_to_all(levels, to_all, exchanged, Exchange{}));
        all.push_back(topo::ibarrier(levels, Tree{}));
        return all;
    }

    bool is_right() const {
        std::vector<int> all, for_me;
        for (int other = 0; other < size; ++other) {
            const auto theirs = data_of(other, round, count);
            all.insert(all.end(), theirs.begin(), theirs.end());
            const auto blocks = data_of(other, round, count * ranks);
            for (std::size_t i = 0; i < count; ++i)
                for_me.push_back(blocks[count * static_cast<std::size_t>(rank) + i]);
        }
        const auto sum = sum_of(size, round, count);
        return spread == data_of(root, round, count) && everywhere == sum && gathered == all &&
               exchanged == for_me && reduced == (rank == root ? sum : std::vector<int>(count, -1));
    }
};

/// Starts several rounds and waits for everything in an order of this rank's own, some by testing.
template <class Tree, class Gather, class Exchange>
void check_many_in_flight(const topo::hierarchy& levels) {
    for (const std::size_t count : {0U, 1U, 333U}) {
        std::vector<round_of_six> rounds;
        for (int round = 0; round < 3; ++round)
            rounds.push_back({levels, round, count});
        std::vector<topo::request> all;
        for (auto& each : rounds)
            for (auto& request : each.start<Tree, Gather, Exchange>())
                all.push_back(std::move(request));
        std::mt19937 order{static_cast<unsigned>(levels.whole().rank() + 1)};
        std::shuffle(all.begin(), all.end(), order);
        for (int tries = 0; tries < 3; ++tries)
            static_cast<void>(all.front().test());
        for (auto& request : all) {
            request.wait();
            CHECK(!request.active());
        }
        for (const auto& each : rounds)
            CHECK(each.is_right());
    }
}

} // namespace

TEST_CASE("many collectives in flight, waited for in another order on each rank") {
    const boost::mpi::communicator world;
    for (const auto& each : topo_test::scenarios(world.size())) {
        INFO(each.name);
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        check_many_in_flight<topo::automatic, topo::automatic, topo::automatic>(levels);
        check_many_in_flight<pipeline, topo::bruck, topo::pairwise>(levels);
        check_many_in_flight<topo::binomial, topo::ring, topo::flat>(levels);
        check_many_in_flight<topo::flat, topo::flat, topo::pairwise>(levels);
        check_many_in_flight<topo::in_order_binary, topo::segmented<100, topo::chain>, topo::flat>(levels);
    }
}

TEST_CASE("two hierarchies at a time, and blocking verbs between start and end") {
    const boost::mpi::communicator world;
    const topo::hierarchy one{world, topo::machine::parse("node:2 core:4"), topo::placement::round_robin()};
    const topo::hierarchy other{world, topo::machine::parse("switch:2 node:2 core:2"),
                                topo::placement::core_by_core()};
    round_of_six first{one, 1, 50}, second{other, 2, 60};
    auto of_first = first.start<pipeline, topo::ring, topo::pairwise>();
    auto of_second = second.start<topo::binomial, topo::bruck, topo::pairwise>();
    topo::barrier(one, topo::binomial{});
    CHECK(topo::all_reduce(one, 1, std::plus<>{}, pipeline{}) == world.size());
    for (auto& request : of_second)
        request.wait();
    for (auto& request : of_first)
        while (!request.test()) {
        }
    CHECK(first.is_right());
    CHECK(second.is_right());
}

TEST_CASE("a start waits for no other rank, whatever the root") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 package:2 core:2"),
                                 topo::placement::round_robin()};
    topo::barrier(levels, topo::chain{}); // the first collective of a hierarchy
    const auto check = [&](auto policy) {
        for (int root = 0; root < world.size(); ++root) {
            std::vector<int> spread(40, world.rank() == root ? root : -1), sums(40, -1);
            std::vector<int> ones(40, 1);
            // One starts after the other: who waited for the next would wait for ever.
            if (world.rank() > 0) world.recv(world.rank() - 1, 77);
            auto broadcast = topo::ibroadcast(levels, spread, root, policy);
            auto reduce = topo::ireduce(levels, ones, sums, std::plus<>{}, root, policy);
            if (world.rank() + 1 < world.size()) world.send(world.rank() + 1, 77);
            reduce.wait();
            broadcast.wait();
            CHECK(spread == std::vector<int>(40, root));
            CHECK(sums == std::vector<int>(40, world.rank() == root ? world.size() : -1));
        }
    };
    check(topo::automatic{});
    check(topo::segmented<64, topo::binary>{});
    check(topo::flat{});
}

TEST_CASE("a request is one value, which can move and completes at its end") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:2"),
                                 topo::placement::core_by_core()};
    int value = world.rank() == 0 ? 5 : 0;
    {
        topo::request none;
        CHECK(!none.active());
        CHECK(none.test());
        none.wait();
        topo::request first = topo::ibroadcast(levels, value, 0, topo::chain{});
        topo::request moved{std::move(first)};
        CHECK(!first.active());
        none = std::move(moved);
    }
    CHECK(value == 5);
    int sum = 0;
    {
        int later = 0; // which a request fills until it ends
        topo::request one = topo::iall_reduce(levels, value, sum, std::plus<>{}, topo::chain{});
        one = topo::iall_reduce(levels, value, later, std::multiplies<>{}, topo::chain{});
        CHECK(sum == 5 * world.size()); // the older was waited for
    }
    // Also one that outlives every handle of its hierarchy.
    topo::request last;
    {
        const topo::hierarchy copy{world, topo::machine::parse("core:2"), topo::placement::core_by_core()};
        last = topo::iall_reduce(copy, value, sum, std::plus<>{}, topo::binomial{});
    }
    last.wait();
    CHECK(sum == 5 * world.size());
}

TEST_CASE("requests go on in the fence of a window over their hierarchy") {
    if (topo::detail::is_simulated) return; // where a wait in memory moves no messages
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:2"),
                                 topo::placement::core_by_core()};
    topo::shared_window<int> window{levels, 1};
    std::vector<int> data(20000); // which a rank passes on behind its receipt
    for (int early = 0; early < world.size(); ++early)
        for (int root = 0; root < world.size(); ++root) {
            std::fill(data.begin(), data.end(), world.rank() == root ? 7 * early + root : -1);
            topo::request one = topo::ibroadcast(levels, data, root, topo::chain{});
            if (world.rank() == early) window.fence();
            one.wait();
            if (world.rank() != early) window.fence();
            CHECK(std::ranges::count(data, 7 * early + root) == 20000);
        }
}

#ifndef TOPOMP_CHECKED // where a start compares the arguments of all ranks

TEST_CASE("what another wait has completed is not waited for") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world};
    if (world.size() < 3) return;
    std::vector<int> first(3, world.rank() == 1 ? 5 : -1), second(3, world.rank() == 2 ? 6 : -1);
    topo::broadcast(levels, first, 1, topo::linear{}); // so that starts do not wait
    topo::broadcast(levels, second, 2, topo::linear{});
    std::ranges::fill(first, world.rank() == 1 ? 7 : -1);
    std::ranges::fill(second, world.rank() == 2 ? 8 : -1);
    constexpr int go = 1;
    std::array<topo::request, 2> both;
    // The roots start when rank 0 has: that of the second one when rank 0 has got the first.
    if (world.rank() == 1) world.recv(0, go);
    both[0] = topo::ibroadcast(levels, first, 1, topo::linear{});
    if (world.rank() == 0) world.send(1, go);
    if (world.rank() == 2) world.recv(0, go);
    both[1] = topo::ibroadcast(levels, second, 2, topo::linear{});
    if (world.rank() == 0) {
        REQUIRE(both[0].active());
        while (!topo::detail::progress_of::is_complete(both[0]))
            CHECK_FALSE(both[1].test());
        CHECK(both[0].active());
        topo::detail::await_progress(topo::detail::common_progress(both),
                                     [&] { return topo::detail::progress_of::is_complete(both[0]); });
        CHECK(topo::wait_any(both) == both.begin());
        world.send(2, go);
    }
    topo::wait_all(both);
    CHECK(first == std::vector<int>(3, 7));
    CHECK(second == std::vector<int>(3, 8));
}

TEST_CASE("a failure is thrown by the wait for what failed, and others go on") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world};
    topo::barrier(levels);
    // Rank 0 expects one element less of the last rank than comes.
    const int last = world.size() - 1;
    std::vector<int> mine(2, world.rank()), all, counts(static_cast<std::size_t>(world.size()), 2);
    if (world.rank() == 0) all.resize(2 * counts.size() - 1);
    if (last == 0) return;
    std::vector<int> enough(2 * counts.size());
    topo::igatherv(levels, mine, enough, counts, 0, topo::linear{}).wait(); // so that starts do not wait
    counts.back() = 1;
    const int one = 1;
    for (const bool is_blocking : {false, true}) {
        if (world.rank() != 0) world.barrier(); // nothing comes before rank 0 has started
        auto gathered = topo::igatherv(levels, mine, all, counts, 0, topo::linear{});
        if (world.rank() == 0) world.barrier();
        int sum = 0;
        if (is_blocking) {
            topo::all_reduce(levels, one, sum, std::plus<>{}, topo::binomial{});
        } else {
            auto reduced = topo::iall_reduce(levels, one, sum, std::plus<>{}, topo::binomial{});
            reduced.wait();
        }
        CHECK(sum == world.size());
        if (world.rank() == 0)
            CHECK_THROWS_AS(gathered.wait(), topo::argument_error);
        else
            gathered.wait();
    }
}

#endif

#if !defined(TOPOMP_CHECKED) &&                                                                              \
    !defined(SMPI_H) // where lengths are compared, and where too long ends the simulation

TEST_CASE("a collective that fails throws from wait, not from the destructor, and is given up") {
    const boost::mpi::communicator world;
    const int last = world.size() - 1;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:2"),
                                 topo::placement::core_by_core()};
    topo::barrier(levels); // the first call waits for all
    const auto start = [&](std::vector<int>& values) {
        if (world.rank() == 0) world.barrier();
        auto one = topo::ibroadcast(levels, values, 0, topo::linear{});
        if (world.rank() != 0) world.barrier();
        return one;
    };
    // The last rank expects less than it gets, which its MPI tells it.
    const bool fails = last > 0 && world.rank() == last;
    for (const bool is_waited_for : {false, true}) {
        std::vector<int> values(fails ? 1 : 3, world.rank() == 0 ? 7 : -1);
        auto one = start(values);
        if (!is_waited_for) continue;
        if (fails)
            CHECK_THROWS_AS(one.wait(), topo::mpi_error);
        else
            one.wait();
        CHECK(!one.active());
        CHECK((fails || values == std::vector<int>(3, 7)));
    }
}

#endif

TEST_CASE("what a rank can see is refused before anything starts") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world};
    std::vector<int> two(2), three(3);
    CHECK_THROWS_AS(static_cast<void>(topo::ibroadcast(levels, two, world.size())), topo::argument_error);
    CHECK_THROWS_AS(static_cast<void>(topo::ireduce(levels, two, two, std::plus<>{}, -1)),
                    topo::argument_error);
    CHECK_THROWS_AS(static_cast<void>(topo::iall_reduce(levels, two, three, std::plus<>{})),
                    topo::argument_error);
    std::vector<int> wrong(2 * static_cast<std::size_t>(world.size()) + 1);
    CHECK_THROWS_AS(static_cast<void>(topo::iall_gather(levels, two, wrong)), topo::argument_error);
    CHECK_THROWS_AS(static_cast<void>(topo::iall_to_all(levels, wrong, two)), topo::argument_error);
}

} // namespace requests_tests
