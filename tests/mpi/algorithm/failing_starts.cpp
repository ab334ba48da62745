// SPDX-License-Identifier: BSL-1.0
// Collectives whose start fails while messages to them are under way: these arrive after the call has thrown.
#include "support/open_handles.hpp"
#include "support/unwatched.hpp"
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/multi_object.hpp>
#include <topomp/algorithm/rounds_in_lanes.hpp>
#include <topomp/algorithm/shared.hpp>
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/all_gatherv.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/all_reduce_init.hpp>
#include <topomp/collective/all_to_all.hpp>
#include <topomp/collective/all_to_allv.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/detail/in_background.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/collective/reproducible.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/detail/checked.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/all_gather_init.hpp>
#include <topomp/hybrid/all_reduce_init.hpp>
#include <topomp/hybrid/all_to_all_init.hpp>
#include <topomp/hybrid/gather_init.hpp>
#include <topomp/hybrid/iall_gather.hpp>
#include <topomp/hybrid/iall_reduce.hpp>
#include <topomp/hybrid/iall_to_all.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/shared_window.hpp>
#include <topomp/neighbour/detail/exchange_in_background.hpp>
#include <topomp/neighbour/detail/node_exchange.hpp>
#include <topomp/neighbour/detail/node_groups.hpp>
#include <topomp/neighbour/ineighbour_all_to_all.hpp>
#include <topomp/neighbour/neighbour_all_to_all.hpp>
#include <topomp/neighbour/neighbour_all_to_all_init.hpp>
#include <topomp/neighbour/neighbourhood.hpp>
#include <topomp/neighbour/sparse_exchange.hpp>
#include <topomp/plan/hierarchical.hpp>
#include <topomp/plan/policy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#ifndef SMPI_H // which has no profiling interface

namespace failing_starts_tests {
namespace {

int sends_until_failure = 0; ///< 0: none fails
int looks_until_failure = 0; ///< the same of MPI_Iprobe
bool is_next_lost = false, is_next_late = false;
int all_sends = 0; ///< of the calling rank, so far

/// The next message of each rank, or the one that is said, leaves, unless it is lost, and its MPI says that
/// it has failed: so all ranks that send fail, and to some of them something is under way.
class failure {
public:
    explicit failure(int sends = 1, bool loses = false) {
        sends_until_failure = sends;
        is_next_lost = loses;
    }
    ~failure() {
        sends_until_failure = looks_until_failure = 0;
        is_next_late = false;
    }
    /// That message leaves when other ranks have gone on.
    void come_late() const { is_next_late = true; }
    failure(const failure&) = delete;
    failure& operator=(const failure&) = delete;
};

template <class Send>
int send_or_fail(MPI_Request* request, Send send) {
    ++all_sends;
    const bool fails = sends_until_failure > 0 && --sends_until_failure == 0;
    if (fails && is_next_late) std::this_thread::sleep_for(std::chrono::milliseconds{20});
    const int result = fails && is_next_lost ? MPI_SUCCESS : send();
    if (!fails) return result;
    if (!is_next_lost) PMPI_Request_free(request);
    *request = MPI_REQUEST_NULL;
    return MPI_ERR_OTHER;
}

} // namespace
} // namespace failing_starts_tests

extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                         MPI_Request* request) {
    return failing_starts_tests::send_or_fail(
        request, [&] { return PMPI_Isend(data, count, type, to, tag, comm, request); });
}

extern "C" int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* is_there, MPI_Status* status) {
    using failing_starts_tests::looks_until_failure;
    if (looks_until_failure > 0 && --looks_until_failure == 0) return MPI_ERR_OTHER;
    return PMPI_Iprobe(from, tag, comm, is_there, status);
}

#if MPI_VERSION >= 4
extern "C" int MPI_Isend_c(const void* data, MPI_Count count, MPI_Datatype type, int to, int tag,
                           MPI_Comm comm, MPI_Request* request) {
    return failing_starts_tests::send_or_fail(
        request, [&] { return PMPI_Isend_c(data, count, type, to, tag, comm, request); });
}
#endif

namespace failing_starts_tests {
namespace {

/// What is under way arrives: each rank looks for messages 20 times, while the others look for them, too, or
/// wait in a barrier. A barrier each time would take 8 ranks of MPICH on two cores 8 ms.
void let_arrive(const boost::mpi::communicator& comm) {
    using namespace std::chrono_literals;
    comm.barrier();
    for (int i = 0; i < 20; ++i) {
        int is_there = 0; // never
        PMPI_Iprobe(0, 0, MPI_COMM_SELF, &is_there, MPI_STATUS_IGNORE);
        std::this_thread::sleep_for(1ms);
    }
    comm.barrier();
}
void let_arrive(const topo::hierarchy& levels) {
    let_arrive(topo::detail::context::of(levels).private_comm());
}

/// Memory of this length goes back to the system when it is freed.
constexpr std::size_t length = 20000;

/// Memory that has just been freed, as far as the allocator gives it out again. What still arrives there is
/// seen.
class canaries {
public:
    explicit canaries(std::size_t bytes) : all_(64, std::vector<unsigned char>(bytes, 0xA5)) {}
    bool are_whole() const { // compared as a whole, which takes no time without optimisation either
        const std::vector<unsigned char> whole(all_.front().size(), 0xA5);
        return std::ranges::all_of(all_, [&](const auto& each) { return each == whole; });
    }

private:
    std::vector<std::vector<unsigned char>> all_;
};

/// The machines on which each rank is a node, and on which nodes have two ranks.
constexpr std::array machines{"node:8 core:1", "node:4 core:2"};

topo::hierarchy hierarchy_on(const boost::mpi::communicator& world, const char* machine) {
    return {world, topo::machine::parse(machine), topo::placement::core_by_core()};
}

/// A persistent collective that has failed does not start again.
template <class Persistent>
void check_fails_for_good(Persistent& one) {
    {
        const failure now;
        CHECK_THROWS_AS((one.start(), one.wait()), topo::mpi_error);
    }
    CHECK_FALSE(one.active());
    CHECK_THROWS_AS(one.start(), topo::usage_error);
}

} // namespace

TEST_CASE("reproducible sums whose inner collective fails at its start") {
    const topo_test::unwatched leaks_of_mpi;
    const boost::mpi::communicator world;
    if (world.size() == 1) return;
    const topo::hierarchy levels = hierarchy_on(world, machines[0]);
    const auto check = [&](auto policy, std::size_t count) {
        const std::vector<double> mine(count, 0.5), sums(count, 0.5 * world.size());
        std::vector<double> result(count);
        const auto check_call = [&](auto sum) {
            sum(); // the first call of a hierarchy asks others
            {
                const failure now;
                CHECK_THROWS_AS(sum(), topo::mpi_error);
            }
            let_arrive(levels);
            result.assign(count, 0);
            sum();
            CHECK(result == sums);
        };
        check_call([&] { topo::iall_reduce(levels, mine, result, topo::reproducible{}, policy).wait(); });
        check_call([&] { topo::all_reduce(levels, mine, result, topo::reproducible{}, policy); });
    };
    for (const std::size_t count : {std::size_t{1}, length / 20, length}) {
        CAPTURE(count);
        check(topo::automatic{}, count);
        check(topo::recursive_doubling{}, count);
    }
}

TEST_CASE("prepared reproducible sums whose inner collective fails at its start") {
    const topo_test::unwatched leaks_of_mpi;
    const boost::mpi::communicator world;
    if (world.size() == 1) return;
    const topo::hierarchy levels = hierarchy_on(world, machines[0]);
    const auto check = [&](auto how, std::size_t count) {
        CAPTURE(count);
        const std::vector<double> mine(count, 0.5), sums(count, 0.5 * world.size());
        std::vector<double> result(count), of_failed(count);
        auto one = topo::all_reduce_init(levels, mine, of_failed, topo::reproducible{}, how);
        one.start();
        one.wait();
        CHECK(of_failed == sums);
        check_fails_for_good(one);
        let_arrive(levels);
        auto other = topo::all_reduce_init(levels, mine, result, topo::reproducible{}, how);
        other.start();
        other.wait();
        CHECK(result == sums);
    };
    for (const std::size_t count : {std::size_t{1}, length / 20, length}) {
        check(topo::automatic{}, count);
        check(topo::recursive_doubling{}, count);
    }
}

TEST_CASE("reproducible sums of which any message fails, and what comes of it into the next one") {
    const topo_test::unwatched leaks_of_mpi;
    const boost::mpi::communicator world;
    // All ranks have to fail in the same of the collectives that follow each other: so they must send equally
    // many messages, and not compare arguments before.
    if (topo::detail::is_checked || world.size() == 1 ||
        !std::has_single_bit(static_cast<unsigned>(world.size())))
        return;
    const topo::hierarchy levels = hierarchy_on(world, machines[0]);
    for (const std::size_t count : {std::size_t{1}, length / 20, length}) {
        CAPTURE(count);
        const std::vector<double> mine(count, 0.5), sums(count, 0.5 * world.size());
        std::vector<double> result(count);
        std::vector<double> of_failed(count); // into which may come what is late
        const auto sum = [&](std::vector<double>& to) {
            topo::all_reduce(levels, mine, to, topo::reproducible{});
        };
        sum(result);
        const int before = all_sends;
        sum(result);
        const int number = all_sends - before;
        for (int which = 1; which <= number; ++which) {
            CAPTURE(which);
            {
                const failure now{which};
                if (world.rank() == 0) now.come_late();
                CHECK_THROWS_AS(sum(of_failed), topo::mpi_error);
            }
            std::ranges::fill(result, 0);
            sum(result);
            CHECK(result == sums);
            let_arrive(levels);
        }
    }
}

TEST_CASE("exchanges by node whose start fails, and others that follow") {
    const topo_test::unwatched leaks_of_mpi;
    const boost::mpi::communicator world;
    const int size = world.size(), rank = world.rank();
    if (size < 4) return;
    // Ranks 0 and 1 give each other what the other carries. There is no memory in common.
    std::vector<int> nodes(static_cast<std::size_t>(size));
    std::iota(nodes.begin(), nodes.end(), 0);
    nodes[1] = 0;
    const auto groups = std::make_shared<topo::detail::node_groups>(world, nodes);
    std::vector<int> others;
    for (int other = 0; other < size; ++other)
        if (groups->nodes.node(other) != groups->node()) others.push_back(other);
    const std::vector<int> mine(others.size(), rank);
    std::vector<int> result(others.size());
    const auto check = [&](std::size_t freed_bytes, auto exchange) {
        const auto where = topo::neighbourhood{groups, others, others, topo::neighbour_route::by_node};
        std::ranges::fill(result, -1);
        exchange(where);
        CHECK(result == others);
        {
            const failure now;
            CHECK_THROWS_AS(exchange(where), topo::mpi_error);
        }
        const canaries freed{freed_bytes};
        let_arrive(where.comm());
        CHECK(freed.are_whole());
        CHECK_THROWS_AS(exchange(where), topo::usage_error);
    };
    for (int i = 0; i < 3; ++i) { // as long as the first part of a message
        check(8192, [&](const auto& where) { topo::ineighbour_all_to_all(where, mine, result).wait(); });
        // the first parts of two messages
        check(16384, [&](const auto& where) { topo::neighbour_all_to_all(where, mine, result); });
    }
}

TEST_CASE("a neighbourhood made after a failed exchange takes nothing that was sent or awaited before") {
    const topo_test::unwatched leaks_of_mpi;
    const boost::mpi::communicator world;
    const int size = world.size(), rank = world.rank();
    if (size < 3) return;
    const int before = (rank + size - 1) % size, next = (rank + 1) % size;
    const std::vector sources{before, next};
    std::vector<int> mine(2 * length), result(mine.size());
    int round = 0;
    const auto check = [&](const topo::neighbourhood& where, auto exchange) {
        ++round;
        std::ranges::fill(mine, round * size + rank);
        exchange(where);
        for (std::size_t i = 0; i < result.size(); ++i)
            if (result[i] != round * size + sources[i / length]) return false;
        return true;
    };
    const auto wait = [&](const auto& where) { topo::neighbour_all_to_all(where, mine, result); };
    const auto begin = [&](const auto& where) { topo::ineighbour_all_to_all(where, mine, result).wait(); };
    for (const bool is_lost : {false, true}) {
        CAPTURE(is_lost);
        const auto check_failure = [&](auto exchange) {
            const auto levels = hierarchy_on(world, machines[0]);
            const auto make = [&] {
                return topo::neighbourhood{levels, sources, sources, topo::neighbour_route::direct};
            };
            const auto where = make();
            const auto other = make();
            CHECK(check(where, exchange));
            // Of two messages one has left, or both have: the receive of the other waits for ever.
            std::ranges::fill(mine, -1);
            {
                const failure second{2, is_lost};
                CHECK_THROWS_AS(exchange(where), topo::mpi_error);
            }
            world.barrier();
            CHECK_THROWS_WITH_AS(wait(other), doctest::Contains("make a new neighbourhood"),
                                 topo::usage_error);
            CHECK_THROWS_AS(begin(where), topo::usage_error);
            CHECK_THROWS_AS(topo::neighbour_all_to_all_init(where, mine, result).free(), topo::usage_error);
            const auto again = make();
            CHECK(check(again, wait));
            CHECK(check(again, begin));
        };
        check_failure(begin);
        check_failure(wait);
    }
}

TEST_CASE("exchanges that wait for memory behind one that has failed fail, too") {
    const topo_test::unwatched leaks_of_mpi;
    const boost::mpi::communicator world;
    const int size = world.size(), rank = world.rank();
    if (size != 4 && size != 8) return; // all ranks carry what goes to other nodes
    const std::vector neighbours{(rank + size - 1) % size, (rank + 1) % size};
    const auto levels = hierarchy_on(world, machines[1]);
    std::vector<int> mine(2, rank), result(2), result_behind(2);
    const auto make = [&] {
        return topo::neighbourhood{levels, neighbours, neighbours, topo::neighbour_route::by_node};
    };
    for (const bool first_waits : {true, false}) {
        const auto where = make();
        const auto prepare = [&](std::vector<int>& to) {
            const auto all = [](std::vector<int>& two) {
                return std::vector{topo::detail::message_of_value(two[0]),
                                   topo::detail::message_of_value(two[1])};
            };
            auto made = topo::detail::neighbours_in_background::prepare(where, "test", all(mine), all(to),
                                                                        false, true, false);
            made.operation->start();
            return made;
        };
        auto failing = prepare(result), behind = prepare(result_behind); // one after the other
        const auto run = [](topo::detail::prepared_exchange& one) {
            topo::detail::in_background::of(*one.among, std::move(one.operation), one.alive).wait();
        };
        if (first_waits) {
            const failure now;
            CHECK_THROWS_AS(run(failing), topo::mpi_error);
        } else { // so that the failure comes up in the wait for the other one
            const failure now;
            failing.among->add(*failing.operation);
            topo::detail::in_flight::is_complete(*failing.operation);
            CHECK_THROWS_AS(run(behind), topo::usage_error);
            failing.among->remove(*failing.operation);
        }
        if (first_waits) CHECK_THROWS_AS(run(behind), topo::usage_error);
        CHECK_THROWS_AS(topo::neighbour_all_to_all(where, mine, result), topo::usage_error);
        world.barrier();
        const auto again = make();
        topo::neighbour_all_to_all(again, mine, result);
        CHECK(result == neighbours);
    }
    // A blocking one.
    const auto where = make();
    {
        const failure now;
        CHECK_THROWS_AS(topo::neighbour_all_to_all(where, mine, result), topo::mpi_error);
    }
    CHECK_THROWS_AS(topo::neighbour_all_to_all(where, mine, result), topo::usage_error);
    world.barrier();
}

TEST_CASE("persistent exchanges with neighbours whose start or first step has failed start no more") {
    const topo_test::unwatched leaks_of_mpi;
    const boost::mpi::communicator world;
    const int size = world.size(), rank = world.rank();
    if (size < 2) return;
    const int before = (rank + size - 1) % size, next = (rank + 1) % size;
    const std::vector<int> mine(2 * length, rank);
    std::vector<int> result(mine.size());
    const auto check_fails = [&](const topo::neighbourhood& where) {
        auto exchange = topo::neighbour_all_to_all_init(where, mine, result);
        check_fails_for_good(exchange);
        let_arrive(where.comm());
        CHECK_THROWS_AS(topo::ineighbour_all_to_all(where, mine, result).wait(), topo::usage_error);
    };
    for (const char* const machine : machines) {
        CAPTURE(machine);
        const topo::hierarchy levels = hierarchy_on(world, machine);
        const auto make = [&] {
            return topo::neighbourhood{levels, {before}, {next}, topo::neighbour_route::direct};
        };
        check_fails(make());
        std::ranges::fill(result, -1);
        topo::ineighbour_all_to_all(make(), mine, result).wait();
        CHECK(result == std::vector<int>(result.size(), before));
    }
    if (size == 4) // blocks inside a node go through its memory, the others are messages
        check_fails({hierarchy_on(world, machines[1]), {before, next}, {before, next}});

    // Of a message in two parts the second fails, and the first has not been received.
    std::vector<int> nodes(static_cast<std::size_t>(size));
    std::iota(nodes.begin(), nodes.end(), 0);
    const bool sends = rank % 2 == 0 && rank + 1 < size, receives = rank % 2 == 1;
    std::vector<int> to, from;
    if (sends) to.push_back(rank + 1);
    if (receives) from.push_back(rank - 1);
    const topo::neighbourhood pairs{std::make_shared<topo::detail::node_groups>(world, nodes), from, to,
                                    topo::neighbour_route::by_node};
    const std::vector<int> sent(length * to.size(), rank);
    std::vector<int> received(length * from.size());
    auto exchange = topo::neighbour_all_to_all_init(pairs, sent, received);
    if (sends) {
        const failure second{2};
        CHECK_THROWS_AS((exchange.start(), exchange.wait()), topo::mpi_error);
        CHECK_THROWS_AS(exchange.start(), topo::usage_error);
    }
    world.barrier();
    if (!sends) {
        exchange.start();
        exchange.wait();
        CHECK(received == std::vector<int>(received.size(), rank - 1));
    }
    let_arrive(world);
}

namespace {

/// A call through the memory of nodes of which a message of each rank fails, the last one or the first: it
/// and all later ones on that hierarchy are refused, those on another one are not.
template <class Call, class IsRight>
void check_refused_after_failure(bool is_last, Call call, IsRight is_right) {
    const boost::mpi::communicator world;
    for (int round = 0; round < 2; ++round) {
        const topo::hierarchy levels = hierarchy_on(world, machines[1]);
        call(levels); // asks others
        const int before = all_sends;
        call(levels);
        CHECK(is_right());
        const int all = all_sends - before;
        REQUIRE(all > 0);
        world.barrier();
        {
            const failure now{is_last ? all : 1};
            CHECK_THROWS_AS(call(levels), topo::mpi_error);
        }
        CHECK_THROWS_WITH_AS(call(levels), doctest::Contains("make a new hierarchy"), topo::usage_error);
        CHECK_THROWS_AS(call(levels), topo::usage_error);
    }
    let_arrive(world); // in memory whose hierarchy is gone
    const topo::hierarchy again = hierarchy_on(world, machines[1]);
    call(again);
    CHECK(is_right());
}

} // namespace

TEST_CASE("all_reduces in the memory of nodes that exchange by several ranks each, and fail") {
    const topo_test::unwatched leaks_of_mpi;
    const boost::mpi::communicator world;
    if (world.size() != 8) return; // each rank sends
    const std::vector<int> mine(length / 10, world.rank()), sums(length / 10, 28);
    std::vector<int> result(mine.size());
    const auto check = [&](auto exchange) {
        check_refused_after_failure(
            false,
            [&](const topo::hierarchy& levels) {
                std::ranges::fill(result, 0);
                topo::all_reduce(levels, mine, result, std::plus<>{}, exchange);
            },
            [&] { return result == sums; });
    };
    using topo::within, topo::otherwise, topo::hierarchical, topo::kind;
    check(hierarchical<within<kind::machine, topo::shared>, otherwise<topo::multi_object>>{});
    check(hierarchical<within<kind::machine, topo::shared>, otherwise<topo::rounds_in_lanes<2>>>{});
}

TEST_CASE("reductions and broadcasts along lanes that fail between the memory of nodes") {
    const topo_test::unwatched leaks_of_mpi;
    const boost::mpi::communicator world;
    if (world.size() != 8) return; // each rank sends
    using topo::within, topo::otherwise, topo::hierarchical, topo::kind;
    const hierarchical<within<kind::machine, topo::shared>, otherwise<topo::rounds_in_lanes<2>>> along_lanes;
    const std::vector<int> mine(length / 10, world.rank()), sums(length / 10, 28), of_root(length / 10, 3);
    std::vector<int> result(mine.size());
    check_refused_after_failure(
        false, // a message before which each rank awaits one
        [&](const topo::hierarchy& levels) {
            std::ranges::fill(result, 0);
            topo::reduce(levels, mine, result, std::plus<>{}, 3, along_lanes);
        },
        [&] { return world.rank() != 3 || result == sums; });
    check_refused_after_failure(
        true,
        [&](const topo::hierarchy& levels) {
            result = mine;
            topo::broadcast(levels, result, 3, along_lanes);
        },
        [&] { return result == of_root; });
}

TEST_CASE("collectives of several ranks of each node that fail, and others that follow") {
    const topo_test::unwatched leaks_of_mpi;
    const boost::mpi::communicator world;
    // In a checked build the comparison of arguments sends, too.
    if (topo::detail::is_checked || world.size() != 8) return;
    using topo::within, topo::otherwise, topo::hierarchical, topo::kind;
    const hierarchical<within<kind::machine, topo::shared>, otherwise<topo::multi_object>> by_many;
    const std::vector<int> mine(100, world.rank()), sums(100, 28);
    std::vector<int> result(mine.size());
    // No messages come into the memory of the node: what was left has other tags than what follows.
    const auto check = [&](auto call, auto is_right) {
        const topo::hierarchy levels = hierarchy_on(world, machines[1]);
        call(levels, 0); // asks others
        for (const int root : {0, 5, 6}) {
            CAPTURE(root);
            const int before = all_sends;
            call(levels, root);
            CHECK(is_right(root));
            const int last = all_sends - before;
            let_arrive(levels);
            {
                const failure now{last};
                if (last > 0)
                    CHECK_THROWS_AS(call(levels, root), topo::mpi_error);
                else
                    call(levels, root);
            }
            if (last == 0) CHECK(is_right(root));
            const canaries freed{mine.size() * sizeof(int)};
            let_arrive(levels);
            CHECK(freed.are_whole());
            call(levels, root);
            CHECK(is_right(root));
        }
    };
    check(
        [&](const topo::hierarchy& levels, int root) {
            std::ranges::fill(result, 0);
            topo::reduce(levels, mine, result, std::plus<>{}, root, by_many);
        },
        [&](int root) { return world.rank() != root || result == sums; });
    check(
        [&](const topo::hierarchy& levels, int root) {
            result = mine;
            topo::broadcast(levels, result, root, by_many);
        },
        [&](int root) { return result == std::vector<int>(mine.size(), root); });
    const topo::hierarchy one_node{world};
    topo::shared_window<int> entered{one_node, 1};
    int round = 0;
    check(
        [&](const topo::hierarchy& levels, int) {
            std::atomic_ref<int>{entered.local()[0]}.store(++round);
            topo::barrier(levels, by_many);
        },
        [&](int) {
            return std::ranges::all_of(entered, [&](int& last) { return std::atomic_ref{last} >= round; });
        });
}

TEST_CASE("exchanges of blocks that fail between the memory of nodes") {
    const topo_test::unwatched leaks_of_mpi;
    const boost::mpi::communicator world;
    if (world.size() != 8) return; // each rank sends
    const topo::node_aggregated<4, 16> by_partners;
    const topo::node_aggregated<> by_carriers;
    const auto size = static_cast<std::size_t>(world.size());
    std::vector<int> mine(8 * size, world.rank()), expected, result(mine.size());
    for (int rank = 0; rank < world.size(); ++rank)
        expected.insert(expected.end(), 8, rank);
    const std::vector<int> counts(size, 8);
    const std::span<const int> own{mine.data(), 8};
    const auto check = [&](auto exchange) {
        for (int round = 0; round < 2; ++round) {
            const topo::hierarchy levels = hierarchy_on(world, machines[1]);
            std::ranges::fill(result, -1);
            exchange(levels);
            CHECK(result == expected);
            {
                const failure now;
                CHECK_THROWS_AS(exchange(levels), topo::mpi_error);
            }
            CHECK_THROWS_WITH_AS(exchange(levels), doctest::Contains("make a new hierarchy"),
                                 topo::usage_error);
        }
        let_arrive(world);
        const topo::hierarchy again = hierarchy_on(world, machines[1]);
        std::ranges::fill(result, -1);
        exchange(again);
        CHECK(result == expected);
    };
    SUBCASE("all_to_all") {
        check([&](const auto& levels) { topo::all_to_all(levels, mine, result, by_partners); });
    }
    SUBCASE("all_to_allv") {
        check([&](const auto& levels) {
            topo::all_to_allv(levels, mine, counts, result, counts, by_carriers);
        });
    }
    SUBCASE("all_gather") {
        check([&](const auto& levels) { topo::all_gather(levels, own, result, by_carriers); });
    }
    SUBCASE("all_gatherv") {
        check([&](const auto& levels) { topo::all_gatherv(levels, own, result, counts, by_carriers); });
    }
}

TEST_CASE("sparse exchanges that fail, and what they have sent") {
    const topo_test::unwatched leaks_of_mpi;
    const boost::mpi::communicator world;
    const int size = world.size(), rank = world.rank();
    if (size < 4) return;
    const int next = (rank + 2) % size, before = (rank + size - 2) % size; // on another node
    const auto exchange = [&](const topo::hierarchy& levels, topo::neighbour_route route) {
        return topo::sparse_exchange(levels, std::map{std::pair{next, std::vector<int>(length, rank)}},
                                     route);
    };
    const std::map expected{std::pair{before, std::vector<int>(length, before)}};
    const auto check_refuses = [&](const topo::hierarchy& levels) {
        CHECK_THROWS_WITH_AS(static_cast<void>(exchange(levels, topo::neighbour_route::best)),
                             doctest::Contains("make a new hierarchy"), topo::usage_error);
    };
    for (const auto& route : {topo::neighbour_route::direct, topo::neighbour_route::by_node}) {
        CAPTURE(static_cast<int>(route));
        { // All have sent, and look for what comes.
            const topo::hierarchy levels = hierarchy_on(world, machines[0]);
            CHECK(exchange(levels, route) == expected);
            topo::detail::node_groups& groups = topo::detail::node_groups::of(levels);
            const int tag = topo::detail::neighbour_tag::sparse_of(groups.sparse_started); // of the next call
            {
                const failure now{0};
                looks_until_failure = 1;
                CHECK_THROWS_AS(static_cast<void>(exchange(levels, route)), topo::mpi_error);
            }
            const canaries freed{length * sizeof(int)};
            world.barrier();
            MPI_Status status;
            MPI_Probe(before, tag, groups.comm, &status);
            int bytes = 0;
            MPI_Get_count(&status, MPI_BYTE, &bytes);
            std::vector<std::byte> came(static_cast<std::size_t>(bytes));
            MPI_Recv(came.data(), bytes, MPI_BYTE, before, tag, groups.comm, MPI_STATUS_IGNORE);
            std::vector<int> numbers(length); // by node they have a head
            REQUIRE(came.size() >= length * sizeof(int));
            std::memcpy(numbers.data(), came.data() + came.size() - length * sizeof(int),
                        length * sizeof(int));
            CHECK(numbers == expected.at(before));
            CHECK(freed.are_whole());
            check_refuses(levels);
            world.barrier();
        }
        if (route == topo::neighbour_route::direct) continue;
        // What is for another node is given to the rank that carries it, and comes after the call has failed.
        const topo::hierarchy levels = hierarchy_on(world, machines[1]);
        CHECK(exchange(levels, route) == expected);
        {
            const failure now;
            CHECK_THROWS_AS(static_cast<void>(exchange(levels, route)), topo::mpi_error);
        }
        const canaries freed{length * sizeof(int) + 64};
        let_arrive(world);
        CHECK(freed.are_whole());
        check_refuses(levels);
        const topo::hierarchy again = hierarchy_on(world, machines[1]);
        CHECK(exchange(again, route) == expected);
    }
}

TEST_CASE("hybrid collectives that have failed start no more, and let their hierarchy go") {
    const topo_test::unwatched leaks_of_mpi;
    const boost::mpi::communicator world;
    // Each rank gets the message for which it has posted a receive: its communicator can be freed.
    if (world.size() == 1 || !std::has_single_bit(static_cast<unsigned>(world.size()))) return;
    const auto ranks = static_cast<std::size_t>(world.size());
    const std::vector<int> mine(length, world.rank());
    // Ranks that send to each other have posted their receives before: nothing stays on a lane's
    // communicator.
    const topo::hybrid::policy<topo::recursive_doubling> doubling;
    const topo::hybrid::policy<topo::ring> ring;
    const auto call_all = [&](const char* machine, bool fails) {
        namespace hybrid = topo::hybrid;
        const topo::hierarchy levels = hierarchy_on(world, machine);
        topo::shared_window<int> sum{levels, length, hybrid::one_copy},
            all{levels, length * ranks, hybrid::one_copy}, out{levels, length * ranks},
            in{levels, length * ranks};
        const auto check = [&](auto begin, auto prepare) {
            begin().wait(); // the first call of a window asks others
            if (!fails) return;
            {
                const failure now;
                CHECK_THROWS_AS(begin().wait(), topo::mpi_error);
            }
            let_arrive(levels);
            auto again = prepare();
            check_fails_for_good(again);
            let_arrive(levels);
            begin().wait();
        };
        check([&] { return hybrid::iall_reduce(levels, mine, sum, std::plus<>{}, doubling); },
              [&] { return hybrid::all_reduce_init(levels, mine, sum, std::plus<>{}, doubling); });
        CHECK(sum.all().back() == world.size() * (world.size() - 1) / 2);
        check([&] { return hybrid::iall_gather(levels, mine, all, ring); },
              [&] { return hybrid::all_gather_init(levels, mine, all, ring); });
        CHECK(all.all().back() == world.size() - 1);
        std::ranges::fill(out.local(), world.rank());
        if (machine == machines[1])
            check([&] { return hybrid::iall_to_all(levels, out, in); },
                  [&] { return hybrid::all_to_all_init(levels, out, in); });
        world.barrier();
    };
    for (const char* const machine : machines) {
        CAPTURE(machine);
        call_all(machine, false); // what is made once for all hierarchies
        const auto before = topo_test::count_open_handles();
        call_all(machine, true);
        // In a checked build it is the comparison of arguments that fails, of which messages stay.
        if (!topo::detail::is_checked) CHECK(topo_test::count_open_handles() == before);
    }
}

TEST_CASE("a persistent hybrid gather of which a step has failed at its start starts no more") {
    const topo_test::unwatched leaks_of_mpi;
    const boost::mpi::communicator world;
    const topo::hierarchy levels = hierarchy_on(world, machines[0]);
    const std::vector<int> mine(length, world.rank());
    topo::shared_window<int> all{levels, length * static_cast<std::size_t>(world.size()),
                                 topo::hybrid::one_copy};
    auto gather = topo::hybrid::gather_init(levels, mine, all, 0);
    if (world.rank() > 0) {
        check_fails_for_good(gather);
    } else {
        gather.start();
        gather.wait(); // the messages have left
        CHECK(all.all().back() == world.size() - 1);
    }
}

} // namespace failing_starts_tests

#endif
