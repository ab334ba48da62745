// SPDX-License-Identifier: BSL-1.0
// A thread of its own goes on with requests: without it, ranks that wait elsewhere would wait for ever.
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/all_reduce_init.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/iall_reduce.hpp>
#include <topomp/collective/progress_thread.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/policy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <functional>

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
#endif

} // namespace progress_thread_tests
