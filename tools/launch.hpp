// SPDX-License-Identifier: BSL-1.0
/// @file
/// What started this process.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace boost::mpi {
class communicator;
}
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
    /// @param shares_cores whether there are more ranks on a node than cores
    std::string_view binding_option(bool shares_cores) const;
    /// Its name for messages.
    std::string_view name() const;
};

/// Reads the environment. Call it before MPI_Init, which adds variables of its own.
launch detect_launch();

/// How many ranks of a run have, or lack, what levels are made of.
struct rank_census {
    int ranks = 0;
    int unbound = 0;          ///< may run on all cores of their node, of which there are several
    int knowing_switches = 0; ///< know the switches above their node
    bool only_some_know() const { return knowing_switches > 0 && knowing_switches < ranks; }
};

/// @param mine where the calling rank runs @collective over `world`
rank_census count_ranks(const boost::mpi::communicator& world, const place& mine);

/// Says what is wrong where the launcher started several processes and each is an MPI program of its own;
/// empty if nothing is. @param world the number of ranks in MPI_COMM_WORLD; 1 where MPI was not started
std::string separate_programs(const launch& started, int world);

/// @throws argument_error if a command under a launcher is asked for other than all the run's ranks
void refuse_other_size(const std::string& caller, std::optional<int> asked, int world);

} // namespace topo::tool
