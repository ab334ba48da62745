// SPDX-License-Identifier: BSL-1.0
/// @file
/// Ranks that share memory wait for each other.
#pragma once

#include <topomp/memory/detail/signals.hpp>
#include <topomp/memory/detail/waiting.hpp>

#include <boost/mpi/communicator.hpp>

namespace topo::detail {

/// How ranks that share memory meet in one call. All take the same steps.
class rendezvous {
public:
    /// @param is_barrier by `MPI_Barrier` in place of signals
    rendezvous(const boost::mpi::communicator& comm, signals& steps, const waiting& waits,
               bool is_barrier = false);

    /// No rank returns before all ranks have called.
    void all();
    /// Nobody goes on before that one has come.
    void after(int one);
    /// That one does not go on before all have come.
    void before(int one);

private:
    void barrier();

    const boost::mpi::communicator& comm_;
    signals& steps_;
    const waiting& waits_;
    bool is_barrier_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/rendezvous.ipp>
#endif
