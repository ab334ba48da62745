// SPDX-License-Identifier: BSL-1.0
/// @file
/// `topomp doctor`: whether an installation is as it should be, and what to do where it is not.
#pragma once

#include "launch.hpp"

#include <string>
#include <vector>

namespace topo::tool {

/// What a check has found.
struct finding {
    enum class grade { fine, advice, wrong };

    grade is = grade::fine;
    std::string part;   ///< what was looked at
    std::string what;   ///< how it is
    std::string remedy; ///< what to do; empty where nothing has to be done

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& is& part& what& remedy;
    }
    friend bool operator==(const finding&, const finding&) = default;
};

using findings = std::vector<finding>;

// Checks of the installation, one process's business.
findings check_mpi();
findings check_launchers();
findings check_preload();
findings check_slurm(const launch& started);

// Checks of a node.
findings check_hardware();
findings check_shared_memory();
findings check_left_overs();
findings check_cma();

/// Checks of the ranks that a launcher started: whether they are one program, bound, and no more than there
/// are cores.
/// @return on rank 0 @collective over MPI_COMM_WORLD
findings check_ranks(const launch& started);

/// Runs all checks and prints them; under a launcher those of a node once on each node.
/// @return 0, or 1 if something is wrong, on all ranks @collective over MPI_COMM_WORLD if MPI is started
int doctor(const launch& started, bool is_in_mpi);

} // namespace topo::tool
