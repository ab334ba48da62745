// SPDX-License-Identifier: BSL-1.0
/// @file
/// What is said at the end of a process whose MPI calls did not come to the library, where a report was asked
/// for.
#include "process.hpp"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace topo::preload {

namespace {

bool is_asked_for_report() {
    const char* const asked = std::getenv("TOPOMP_REPORT");
    return asked != nullptr && std::string_view{asked} == "1";
}

/// Whether this is the first rank, as far as launchers tell it by their variables. MPI may be over.
bool may_be_first() {
    for (const char* const name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"})
        if (const char* const rank = std::getenv(name)) return std::string_view{rank} == "0";
    return true;
}

/// Destroyed at the end of the process, before the MPI's library is.
struct witness {
    pid_t begun_in = getpid();

    ~witness() {
        if (getpid() != begun_in || !is_asked_for_report() || !may_be_first()) return;
        int has_run = 0;
        MPI_Initialized(&has_run);
        const auto& here = process::self();
        if (has_run == 0 || here.has_ended) return;
        std::fputs(
            here.has_begun
                ? "topomp-preload: no report: the program ended without MPI_Finalize\n"
                : "topomp-preload: no report, and no call was served: MPI_Init did not come to this "
                  "library; another library that is loaded before it, or the program itself, called the "
                  "MPI's own\n",
            stderr);
    }
} const at_end;

} // namespace

} // namespace topo::preload
