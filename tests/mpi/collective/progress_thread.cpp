// SPDX-License-Identifier: BSL-1.0
// A thread of its own goes on with requests: without it, ranks that wait elsewhere would wait for ever.
#include "support/crosswise.hpp"
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/all_gatherv.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/all_reduce_init.hpp>
#include <topomp/collective/all_to_all.hpp>
#include <topomp/collective/all_to_allv.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/exclusive_scan.hpp>
#include <topomp/collective/gather.hpp>
#include <topomp/collective/gatherv.hpp>
#include <topomp/collective/iall_reduce.hpp>
#include <topomp/collective/progress_thread.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/collective/reduce_scatter.hpp>
#include <topomp/collective/scan.hpp>
#include <topomp/collective/scatter.hpp>
#include <topomp/collective/scatterv.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/all_gather.hpp>
#include <topomp/hybrid/all_reduce.hpp>
#include <topomp/hybrid/all_reduce_init.hpp>
#include <topomp/hybrid/broadcast.hpp>
#include <topomp/hybrid/iall_reduce.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/reduce.hpp>
#include <topomp/memory/shared_window.hpp>
#include <topomp/plan/policy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace progress_thread_tests {

#ifndef SMPI_H // whose ranks are no processes that could have threads
namespace {

int thread_level() {
    int level = 0;
    MPI_Query_thread(&level);
    return level;
}

} // namespace

TEST_CASE("a thread goes on while the ranks wait for something else") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:4"),
                                 topo::placement::core_by_core()};
    if (thread_level() < MPI_THREAD_MULTIPLE) {
        CHECK_THROWS_WITH_AS(topo::progress_thread{levels}, doctest::Contains("MPI_THREAD_MULTIPLE"),
                             topo::usage_error);
        return;
    }
    const int last = world.size() - 1;
    int mine = world.rank() + 1, sum = 0;
    {
        const topo::progress_thread helper{levels};
        CHECK_THROWS_AS(topo::progress_thread{levels}, topo::usage_error);
        auto step = topo::all_reduce_init(levels, mine, sum, std::plus<>{}, topo::chain{});
        for (int round = 0; round < 20; ++round) {
            mine = world.rank() + round;
            auto started = topo::iall_reduce(levels, mine, sum, std::plus<>{}, topo::chain{});
            if (world.rank() == last) {
                started.wait();
                for (int rank = 0; rank < last; ++rank)
                    MPI_Send(&round, 1, MPI_INT, rank, 0, world);
            } else { // the ranks between are needed for the sum that the last one waits for
                int told = 0;
                MPI_Recv(&told, 1, MPI_INT, last, 0, world, MPI_STATUS_IGNORE);
                started.wait();
            }
            CHECK(sum == world.size() * round + world.size() * last / 2);
            step.start();
            topo::barrier(levels);
            step.wait();
            CHECK(sum == world.size() * round + world.size() * last / 2);
        }
    }
    const topo::progress_thread another{levels};
    CHECK(topo::all_reduce(levels, 1, std::plus<>{}) == world.size());
}

TEST_CASE("a thread goes on with hybrid verbs while the ranks call others on the same communicators") {
    if (thread_level() < MPI_THREAD_MULTIPLE) return;
    const boost::mpi::communicator world;
    const int size = world.size(), rank = world.rank();
    const topo::hierarchy levels{world, topo::machine::parse("node:3 core:3"),
                                 topo::placement::round_robin()};
    const topo::progress_thread helper{levels};
    using window = topo::shared_window<int>;
    namespace hybrid = topo::hybrid;
    window started_sums{levels, 40, hybrid::one_copy}, prepared_sums{levels, 40, hybrid::one_copy},
        sums{levels, 40, hybrid::one_copy}, word{levels, 40, hybrid::one_copy},
        all{levels, static_cast<std::size_t>(size), hybrid::one_copy};
    std::vector<int> mine(40, rank), own(1, rank);
    const std::vector<int> of_all(40, size * (size - 1) / 2);
    const auto in = [](const window& which) { return std::vector<int>(which.begin(), which.end()); };
    const hybrid::policy<topo::binomial> by_roots{.across = hybrid::carriers::roots};
    const hybrid::policy<topo::recursive_doubling> by_lanes{.across = hybrid::carriers::lanes};
    auto step = hybrid::all_reduce_init(levels, mine, prepared_sums, std::plus<>{}, by_roots);
    for (int round = 0; round < 20; ++round) {
        auto started = hybrid::iall_reduce(levels, mine, started_sums, std::plus<>{}, by_lanes);
        step.start();
        hybrid::all_reduce(levels, mine, sums, std::plus<>{}, by_lanes);
        CHECK(in(sums) == of_all);
        hybrid::broadcast(levels, mine, word, round % size, by_roots);
        CHECK(in(word) == std::vector<int>(40, round % size));
        hybrid::all_gather(levels, own, all, by_roots);
        CHECK(all.all()[static_cast<std::size_t>(size / 2)] == size / 2);
        hybrid::reduce(levels, mine, sums, std::plus<>{}, 0, by_roots);
        CHECK(topo::all_reduce(levels, rank, std::plus<>{}, topo::chain{}) == of_all.front());
        step.wait();
        CHECK(in(prepared_sums) == of_all);
        started.wait();
        CHECK(in(started_sums) == of_all);
    }
}

TEST_CASE("a thread goes on while a hybrid verb waits where the rank itself does not") {
    if (thread_level() < MPI_THREAD_MULTIPLE) return;
    const boost::mpi::communicator world;
    const int size = world.size(), rank = world.rank(), last = size - 1;
    const topo::hierarchy levels{world, topo::machine::parse("node:3 core:3"),
                                 topo::placement::round_robin()};
    if (levels.max_depth() == 0 || size > 9) return; // every rank is in a level
    const topo::progress_thread helper{levels};
    namespace hybrid = topo::hybrid;
    using window = topo::shared_window<int>;
    const std::vector<int> mine(4, rank), of_all(4, size * last / 2);
    const auto check = [&](window& sums, auto between, hybrid::meeting sync) {
        const hybrid::policy<decltype(between)> by{.across = hybrid::carriers::roots, .sync = sync};
        const auto call = [&] { hybrid::all_reduce(levels, mine, sums, std::plus<>{}, by); };
        call(); // the first one asks others
        int sum = -1;
        topo_test::wait_crosswise(
            world, [&] { return topo::iall_reduce(levels, rank, sum, std::plus<>{}, topo::chain{}); }, call);
        CHECK(sum == of_all.front());
        CHECK(std::vector<int>(sums.begin(), sums.end()) == of_all);
    };
    window of_nodes{levels, 4, hybrid::one_copy};
    check(of_nodes, topo::chain{}, hybrid::meeting::signals);
    check(of_nodes, topo::chain{}, hybrid::meeting::barrier);
    check(of_nodes, topo::flat{}, hybrid::meeting::signals);
    if (levels.depth() > 0) {
        window of_level{levels[0], 4, hybrid::one_copy};
        check(of_level, topo::chain{}, hybrid::meeting::signals);
    }
}

TEST_CASE("a thread goes on while a call of the MPI's own collectives waits") {
    if (thread_level() < MPI_THREAD_MULTIPLE) return;
    const boost::mpi::communicator world;
    const int size = world.size(), rank = world.rank(), last = size - 1;
    const topo::hierarchy levels{world, topo::machine::parse("node:4 core:2"),
                                 topo::placement::core_by_core()};
    const topo::progress_thread helper{levels};
    const topo::flat flat;
    const topo::lanes<topo::native, topo::native> lanes;
    const auto ranks = static_cast<std::size_t>(size);
    int own = 0;
    std::vector<int> one(1, rank), all(ranks, rank), result(ranks);
    const std::vector<int> counts(ranks, 1);
    const auto check = [&](const char* name, int late, auto call) {
        CAPTURE(name);
        call(); // the first one asks others
        int sum = -1;
        topo_test::wait_crosswise(
            world, late, [&] { return topo::iall_reduce(levels, rank, sum, std::plus<>{}, topo::chain{}); },
            call);
        CHECK(sum == size * last / 2);
    };
    check("barrier", last, [&] { topo::barrier(levels, flat); });
    check("broadcast", last, [&] { topo::broadcast(levels, own, last, flat); });
    check("reduce", last, [&] { topo::reduce(levels, all, result, std::plus<>{}, 0, flat); });
    check("all_reduce", last, [&] { topo::all_reduce(levels, all, result, std::plus<>{}, flat); });
    check("gather", last, [&] { topo::gather(levels, one, result, 0, flat); });
    check("gatherv", last, [&] { topo::gatherv(levels, one, result, counts, 0, flat); });
    check("gatherv of unknown lengths", last, [&] { topo::gatherv(levels, one, 0, flat); });
    check("scatter", last, [&] { topo::scatter(levels, all, one, last, flat); });
    check("scatterv", last, [&] { topo::scatterv(levels, all, counts, one, last, flat); });
    check("all_gather", last, [&] { topo::all_gather(levels, one, result, flat); });
    check("all_gatherv", last, [&] { topo::all_gatherv(levels, one, result, counts, flat); });
    check("all_to_all", last, [&] { topo::all_to_all(levels, all, result, flat); });
    check("all_to_allv", last, [&] { topo::all_to_allv(levels, all, counts, result, counts, flat); });
    check("reduce_scatter", last,
          [&] { topo::reduce_scatter(levels, all, counts, one, std::plus<>{}, flat); });
    check("scan", 0, [&] { topo::scan(levels, all, result, std::plus<>{}, flat); });
    check("exclusive_scan", 0, [&] { topo::exclusive_scan(levels, all, result, std::plus<>{}, flat); });
    check("broadcast in lanes", last, [&] { topo::broadcast(levels, result, last, lanes); });
    check("reduce in lanes", last, [&] { topo::reduce(levels, all, result, std::plus<>{}, 0, lanes); });
    check("all_reduce in lanes", last, [&] { topo::all_reduce(levels, all, result, std::plus<>{}, lanes); });
}
#endif

} // namespace progress_thread_tests
