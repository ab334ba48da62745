// SPDX-License-Identifier: BSL-1.0
/// @file
/// Synchronisation of ranks that share memory.
#pragma once

#include <topomp/memory/detail/signals.hpp>
#include <topomp/memory/detail/waiting.hpp>

#include <boost/mpi/communicator.hpp>

#include <cstddef>

namespace topo::detail {

/// The synchronisation of ranks that share memory in one call. All ranks take the same steps.
class node_synchronisation {
public:
    /// @param is_barrier by `MPI_Barrier` in place of signals
    node_synchronisation(const boost::mpi::communicator& comm, signals& steps, const waiting& waits,
                         bool is_barrier = false);

    /// No rank returns before all ranks have called.
    void all();
    /// No rank returns before that rank has called. @param bytes that it passes on by this
    void after(int one, std::size_t bytes = waiting::long_message);
    /// That rank does not return before all have called.
    void before(int one);

private:
    void barrier();

    const boost::mpi::communicator& comm_;
    signals& steps_;
    waiting waits_;
    bool is_barrier_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/node_synchronisation.ipp>
#endif
