// SPDX-License-Identifier: BSL-1.0
/// @file
/// All ranks start what is timed at the same moment.
#pragma once

#include <mpi.h>

#include <ctime>

namespace topo_bench {

#if defined(SIMGRID_VERSION) || defined(SMPI_H)
inline constexpr bool is_simulated = true;
#else
inline constexpr bool is_simulated = false;
#endif

/// Returns on all ranks at once: at an agreed time where the clock is one, which is in a simulation; else
/// after a barrier, which leaves some microseconds between the first and the last.
inline void start_together(MPI_Comm comm) {
    if constexpr (!is_simulated) {
        PMPI_Barrier(comm);
        return;
    }
    constexpr double margin = 0.01; // more than any all-reduce takes
    const double now = PMPI_Wtime();
    double latest = 0;
    PMPI_Allreduce(&now, &latest, 1, MPI_DOUBLE, MPI_MAX, comm);
    const double wait = latest + margin - PMPI_Wtime();
    const timespec pause{
        static_cast<std::time_t>(wait),
        static_cast<long>((wait - static_cast<double>(static_cast<std::time_t>(wait))) * 1e9)};
    nanosleep(&pause, nullptr);
}

} // namespace topo_bench
