// SPDX-License-Identifier: BSL-1.0
// The MPI's own window on a shared window: ranks of other made-up nodes read and write it.
#include "support/made_up.hpp"
#include <topomp/core/error.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/shared_window.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace remote_window_tests {

namespace {

/// Whether the MPI can make a window on memory that is there. Open MPI 4.1 cannot on one rank, nor on several
/// unless ranks may read each other's memory or it emulates that, or has a component that Debian turns off.
bool makes_windows(const boost::mpi::communicator& world) {
    int memory = 0;
    MPI_Win made = MPI_WIN_NULL;
    if (MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, world, &made) != MPI_SUCCESS) return false;
    MPI_Win_free(&made);
    return true;
}

/// Whether all ranks are on one host; not so where the simulator has several.
bool shares_memory(const boost::mpi::communicator& ranks) {
    MPI_Comm host = MPI_COMM_NULL;
    MPI_Comm_split_type(ranks, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    int size = 0;
    MPI_Comm_size(host, &size);
    MPI_Comm_free(&host);
    return size == ranks.size();
}

/// Whether such a window may be of other memory: MPICH 4.0 over UCX, unless UCX caches no registered memory.
bool moves_windows() {
    const char* const cache = std::getenv("UCX_RCACHE_ENABLE");
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> version{};
    int length = 0;
    MPI_Get_library_version(version.data(), &length);
    const std::string_view text{version.data()};
    return text.find("4.0") != text.npos && text.find("ch4:ucx") != text.npos &&
           (cache == nullptr || std::string_view{cache} != "n");
}

/// The window's, or null where `moves_windows()` and all ranks were told that this one is of other memory.
MPI_Win win_of(topo::shared_window<int>& window) {
    try {
        return window.win();
    } catch (const topo::system_error& problem) {
        CHECK(moves_windows());
        INFO(problem.what());
        CHECK(std::string_view{problem.what()}.find("UCX_RCACHE_ENABLE=n") != std::string_view::npos);
        return MPI_WIN_NULL;
    }
}

} // namespace

TEST_CASE("ranks of other nodes reach a window through MPI's own") {
    const boost::mpi::communicator world;
    const int rank = world.rank(), ranks = world.size();
    if (!makes_windows(world)) {
        const topo::hierarchy levels{world};
        topo::shared_window<int> window{levels, 1};
        CHECK_THROWS_AS(window.win(), topo::mpi_error);
        return;
    }
    for (const std::size_t which : {3U, 4U}) { // uneven, interleaved
        const auto machine = topo_test::scenarios(ranks)[which];
        const topo::hierarchy levels{world, machine.on, machine.rule};
        topo::shared_window<int> window{levels, rank % 3 + 2};
        std::ranges::fill(window.local(), 100 * rank);
        MPI_Win raw = win_of(window);
        if (raw == MPI_WIN_NULL) continue;
        CHECK(raw == window.win());
        MPI_Win_fence(0, raw);
        const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
        int read = -1;
        const int put = rank;
        MPI_Get(&read, 1, MPI_INT, from, 0, 1, MPI_INT, raw);
        MPI_Put(&put, 1, MPI_INT, to, to % 3 + 1, 1, MPI_INT, raw); // its last element
        MPI_Win_fence(0, raw);
        CHECK(read == 100 * from);
        CHECK(window.local().back() == from);
        window.fence(); // now all ranks of the node see it
        CHECK(std::ranges::count(window.all(), from) >= 1);
        int sum = 0;
        window.local().front() = rank + 1;
        MPI_Win_fence(0, raw);
        MPI_Win_lock_all(0, raw);
        for (int target = 0; target < ranks; ++target) {
            int element = 0;
            MPI_Get(&element, 1, MPI_INT, target, 0, 1, MPI_INT, raw);
            MPI_Win_flush(target, raw);
            sum += element;
        }
        MPI_Win_unlock_all(raw);
        CHECK(sum == ranks * (ranks + 1) / 2);
        window = topo::shared_window<int>{levels, 1}; // frees the MPI's window on all ranks
        raw = win_of(window);
        if (raw != MPI_WIN_NULL) MPI_Win_fence(0, raw);
    }
}

TEST_CASE("over a level the ranks of the level are the targets") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:64"),
                                 topo::placement::round_robin()};
    // One made-up node after the other: Open MPI names the file of a window by the communicator's number,
    // which is the same on both, and in truth both are on one machine.
    for (int node = 0; node < 2; ++node) {
        for (const topo::level& each : levels) {
            if (!each.is(topo::kind::machine) || each.index() != node || !shares_memory(each.comm()) ||
                !makes_windows(each.comm()))
                continue;
            topo::shared_window<int> window{each, 1};
            const MPI_Win raw = win_of(window);
            if (raw == MPI_WIN_NULL) continue;
            MPI_Group group = MPI_GROUP_NULL;
            int size = 0;
            MPI_Win_get_group(raw, &group);
            MPI_Group_size(group, &size);
            MPI_Group_free(&group);
            CHECK(size == each.size());
        }
        world.barrier();
    }
}

} // namespace remote_window_tests
