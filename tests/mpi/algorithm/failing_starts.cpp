// SPDX-License-Identifier: BSL-1.0
// Collectives whose start fails while messages to them are under way: these arrive after the call has thrown.
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/reproducible.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/all_gather_init.hpp>
#include <topomp/hybrid/all_reduce_init.hpp>
#include <topomp/hybrid/all_to_all_init.hpp>
#include <topomp/hybrid/broadcast_init.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/memory/shared_window.hpp>
#include <topomp/neighbour/ineighbour_all_to_all.hpp>
#include <topomp/neighbour/neighbour_all_to_all_init.hpp>
#include <topomp/neighbour/neighbourhood.hpp>
#include <topomp/plan/policy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#ifndef SMPI_H // which has no profiling interface

namespace failing_starts_tests {
namespace {

int sends_until_failure = 0; ///< 0: none fails

/// Each rank's next message leaves, and its MPI says that it has failed: so all ranks fail, and to each of
/// them something is under way.
class failure {
public:
    failure() { sends_until_failure = 1; }
    ~failure() { sends_until_failure = 0; }
    failure(const failure&) = delete;
    failure& operator=(const failure&) = delete;
};

} // namespace
} // namespace failing_starts_tests

extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                         MPI_Request* request) {
    const int result = PMPI_Isend(data, count, type, to, tag, comm, request);
    int& left = failing_starts_tests::sends_until_failure;
    if (left == 0 || --left > 0) return result;
    PMPI_Request_free(request);
    return MPI_ERR_OTHER;
}

#if MPI_VERSION >= 4
extern "C" int MPI_Isend_c(const void* data, MPI_Count count, MPI_Datatype type, int to, int tag,
                           MPI_Comm comm, MPI_Request* request) {
    const int result = PMPI_Isend_c(data, count, type, to, tag, comm, request);
    int& left = failing_starts_tests::sends_until_failure;
    if (left == 0 || --left > 0) return result;
    PMPI_Request_free(request);
    return MPI_ERR_OTHER;
}
#endif

namespace failing_starts_tests {
namespace {

/// What is under way arrives.
void let_arrive(const boost::mpi::communicator& world) {
    using namespace std::chrono_literals;
    for (int i = 0; i < 20; ++i) {
        world.barrier();
        std::this_thread::sleep_for(1ms);
    }
}

/// Memory of this length goes back to the system when it is freed.
constexpr std::size_t length = 20000;

} // namespace

TEST_CASE("reproducible sums whose inner collective fails at its start") {
    const boost::mpi::communicator world;
    if (world.size() == 1) return;
    const topo::hierarchy levels{world, topo::machine::parse("node:8 core:1"),
                                 topo::placement::core_by_core()};
    const auto check = [&](auto how, std::size_t count) {
        const std::vector<double> mine(count, 0.5), sums(count, 0.5 * world.size());
        std::vector<double> result(count);
        const auto sum = [&] { topo::iall_reduce(levels, mine, result, topo::reproducible{}, how).wait(); };
        sum(); // the first call of a hierarchy asks others
        {
            const failure now;
            CHECK_THROWS_AS(sum(), topo::mpi_error);
        }
        let_arrive(world);
        result.assign(count, 0);
        sum();
        CHECK(result == sums);
    };
    for (const std::size_t count : {std::size_t{1}, length / 20, length}) {
        CAPTURE(count);
        check(topo::automatic{}, count);
        check(topo::recursive_doubling{}, count);
    }
}

} // namespace failing_starts_tests

#endif
