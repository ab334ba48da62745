// SPDX-License-Identifier: BSL-1.0
/// @file
/// In a simulation: whose rules choose how MPI_Bcast goes, from here on.
#pragma once

#include "together.hpp"

#include <mpi.h>

#include <array>
#include <string>

#ifdef SMPI_HELPERS_H
// SimGrid's library has it, its headers do not.
namespace simgrid::smpi::colls {
void set_bcast(const std::string& name);
} // namespace simgrid::smpi::colls
#endif

namespace topo_bench {

/// SimGrid makes a communicator with a broadcast, and before its first broadcast by some rules it sends a
/// message from every rank to every other. So communicators are made while a binomial tree is chosen, and
/// then the rules that are measured. @param name of SimGrid's rules; none: as they are @collective over
/// `comm`
inline void use_broadcasts_of([[maybe_unused]] const std::string& name, [[maybe_unused]] MPI_Comm comm) {
#ifdef SMPI_HELPERS_H
    if (name.empty()) return;
    greatest(comm, std::array{0.0}); // nobody makes a communicator any more
    simgrid::smpi::colls::set_bcast(name);
#endif
}

} // namespace topo_bench
