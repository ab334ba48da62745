// SPDX-License-Identifier: BSL-1.0
/// @file
/// In a simulation: whose rules choose how a collective goes, from here on.
#pragma once

#include "agreed_start.hpp"

#include <mpi.h>

#include <array>
#include <string>
#include <string_view>

#ifdef SMPI_HELPERS_H
// SimGrid's library has them, its headers do not.
namespace simgrid::smpi::colls {
void set_bcast(const std::string& name);
void set_allreduce(const std::string& name);
} // namespace simgrid::smpi::colls
#endif

namespace topo_bench {

/// By some rules the first broadcast or all-reduce of a communicator begins with a message from every rank to
/// every other, and a rank that makes communicators needs both. So these are made while something else is
/// chosen, and then the rules that are measured. @param name of SimGrid's rules; none: as they are
/// @param verb what is measured next: only a broadcast or an all-reduce changes anything
/// @collective over `comm`
inline void use_rules_of([[maybe_unused]] const std::string& name, [[maybe_unused]] std::string_view verb,
                         [[maybe_unused]] MPI_Comm comm) {
#ifdef SMPI_HELPERS_H
    if (name.empty()) return;
    greatest(comm, std::array{0.0}); // no rank makes a communicator any more
    if (verb == "broadcast") simgrid::smpi::colls::set_bcast(name);
    if (verb.starts_with("all_reduce")) simgrid::smpi::colls::set_allreduce(name);
#endif
}

} // namespace topo_bench
