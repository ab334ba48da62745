// SPDX-License-Identifier: BSL-1.0
/// @file
/// What started this process.
#pragma once

#include <string>
#include <string_view>

namespace topo {
class place;
}

namespace topo::tool {

/// Programs that start MPI's ranks.
enum class launcher { none, open_mpi, hydra, slurm, unknown };

/// What started this process, from its environment.
struct launch {
    launcher by = launcher::none;
    bool has_mpi = false;    ///< whether the process can be a rank of several
    int ranks = 0;           ///< how many processes the launcher started; 0: it does not say
    std::string ranks_named; ///< the variable that says so
    bool is_first = true;    ///< whether this is the process with the number 0

    /// The option with which the launcher binds each rank to a core; empty if it is not known.
    std::string_view binding_option() const;
    /// Its name for messages.
    std::string_view name() const;
};

/// Reads the environment. Call it before MPI_Init, which adds variables of its own.
launch detect_launch();

/// Whether a rank may run on all cores of its node, of which there are several.
bool may_run_anywhere(const place& where);

/// Says what is wrong where the launcher started several processes and each is an MPI program of its own;
/// empty if nothing is. @param world the number of ranks in MPI_COMM_WORLD; 1 where MPI was not started
std::string separate_programs(const launch& started, int world);

} // namespace topo::tool
