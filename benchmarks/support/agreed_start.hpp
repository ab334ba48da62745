// SPDX-License-Identifier: BSL-1.0
/// @file
/// All ranks start what is timed at the same moment, and agree on how long it took.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

namespace topo_bench {

#if defined(SIMGRID_VERSION) || defined(SMPI_H)
inline constexpr bool is_simulated = true;
#else
inline constexpr bool is_simulated = false;
#endif

/// The greatest of each value over all ranks. @collective over `comm`
/// In a simulation along a tree of messages: the all-reduces that SimGrid chooses are what is measured, some
/// stop the run, and some begin with a message from every rank to every other.
template <std::size_t Count>
std::array<double, Count> greatest(MPI_Comm comm, std::array<double, Count> mine) {
    constexpr int count = static_cast<int>(Count);
    auto all = mine;
    if constexpr (!is_simulated) {
        PMPI_Allreduce(mine.data(), all.data(), count, MPI_DOUBLE, MPI_MAX, comm);
        return all;
    }
    constexpr int tag = 4711;
    int size = 0, rank = 0;
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_rank(comm, &rank);
    int span = 1; // the first rank of twice as many hears from the middle one
    for (; span < size && rank % (2 * span) == 0; span *= 2) {
        if (rank + span >= size) continue;
        PMPI_Recv(mine.data(), count, MPI_DOUBLE, rank + span, tag, comm, MPI_STATUS_IGNORE);
        std::ranges::transform(all, mine, all.begin(), [](double x, double y) { return std::max(x, y); });
    }
    if (rank > 0) {
        PMPI_Send(all.data(), count, MPI_DOUBLE, rank - span, tag, comm);
        PMPI_Recv(all.data(), count, MPI_DOUBLE, rank - span, tag, comm, MPI_STATUS_IGNORE);
    }
    while ((span /= 2) > 0)
        if (rank + span < size) PMPI_Send(all.data(), count, MPI_DOUBLE, rank + span, tag, comm);
    return all;
}

/// Whether all ranks read one clock: they run on one system, also where that plays several hosts.
/// @collective over `comm` the first time, which must be of all ranks
inline bool have_one_clock(MPI_Comm comm) {
    static const bool is_one = [&] {
        std::string system;
        std::ifstream{"/proc/sys/kernel/random/boot_id"} >> system;
        const auto name = static_cast<double>(std::hash<std::string>{}(system) >> 12U); // of 52 bits: exact
        const auto extremes = greatest(comm, std::array{name, -name});
        return !system.empty() && extremes[0] == -extremes[1];
    }();
    return is_one;
}

/// Whether there are more of this system's ranks than cores, if all ranks run on it.
inline bool is_oversubscribed(int ranks) {
    // Asked once: the C library reads a file of the kernel. If 16 ranks did so before each start, they
    // started up to 20 us apart.
    static const unsigned cores = std::thread::hardware_concurrency();
    return static_cast<unsigned>(ranks) > cores;
}

/// Returns on all ranks at once: at an agreed time where the clock is one, as it is in a simulation; else
/// after a barrier, which leaves some microseconds between the first and the last.
/// @param meanwhile called while all wait for the agreed time, if there are cores for all: something short
inline void start_together(MPI_Comm comm, const std::function<void()>& meanwhile = {}) {
    if constexpr (is_simulated) {
        constexpr double margin = 0.01; // more than the agreement takes
        const double wait = greatest(comm, std::array{PMPI_Wtime()})[0] + margin - PMPI_Wtime();
        const timespec pause{
            static_cast<std::time_t>(wait),
            static_cast<long>((wait - static_cast<double>(static_cast<std::time_t>(wait))) * 1e9)};
        nanosleep(&pause, nullptr);
        return;
    }
    if (!have_one_clock(comm)) {
        PMPI_Barrier(comm);
        return;
    }
    const auto now = [] {
        return std::chrono::duration<double>{std::chrono::steady_clock::now().time_since_epoch()}.count();
    };
    int ranks = 0;
    PMPI_Comm_size(comm, &ranks);
    const double margin = is_oversubscribed(ranks) ? 100e-6 * ranks : 50e-6; // all must have heard by then
    const double start = greatest(comm, std::array{now()})[0] + margin;
    if (meanwhile && !is_oversubscribed(ranks)) meanwhile();
    if (is_oversubscribed(ranks)) // who sleeps leaves his core to those that have not heard yet
        std::this_thread::sleep_for(std::chrono::duration<double>{start - now()});
    while (now() < start) {
    }
}

} // namespace topo_bench
