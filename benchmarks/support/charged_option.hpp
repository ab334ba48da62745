// SPDX-License-Identifier: BSL-1.0
/// @file
/// The option --charged of a program that reads its options by CLI11. Elsewhere than in a simulation it is
/// refused. Ordinary MPI.
#pragma once

#include "cli.hpp"
#include "simulated_nodes.hpp"

#include <mpi.h>

#include <stdexcept>
#include <string>

namespace topo_bench {

/// What nodes are charged, of all ranks of the program. @collective over all ranks
/// @throws CLI::ValidationError if the text is none of that
inline void charge_nodes_as_told(const std::string& text) {
    try {
        charge_nodes<double>(node_charges::read(text), MPI_COMM_WORLD);
    } catch (const std::runtime_error& problem) {
        throw CLI::ValidationError(problem.what());
    }
}

} // namespace topo_bench
