// SPDX-License-Identifier: BSL-1.0
/// @file
/// Ranks that share memory wait for each other.
#pragma once

#include <topomp/core/mpi.hpp>
#include <topomp/memory/signals.hpp>
#include <topomp/memory/waiting.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <atomic>

namespace topo::detail {

/// How ranks that share memory meet in one call. All take the same steps.
class rendezvous {
public:
    /// @param is_barrier by `MPI_Barrier` in place of signals
    rendezvous(const boost::mpi::communicator& comm, signals& steps, const waiting& how,
               bool is_barrier = false)
        : comm_(comm), steps_(steps), how_(how), is_barrier_(is_barrier) {}

    /// Nobody goes on before all have come.
    void all() {
        if (is_barrier_) return barrier();
        steps_.barrier(how_);
    }
    /// Nobody goes on before that one has come.
    void after(int one) {
        if (is_barrier_) return barrier();
        steps_.one_to_many(one, how_);
    }
    /// That one does not go on before all have come.
    void before(int one) {
        if (is_barrier_) return barrier();
        steps_.many_to_one(one, how_);
    }

private:
    void barrier() {
        std::atomic_thread_fence(std::memory_order_seq_cst);
        mpi::check(MPI_Barrier(comm_), "MPI_Barrier", "ranks of a window");
        std::atomic_thread_fence(std::memory_order_seq_cst);
    }

    const boost::mpi::communicator& comm_;
    signals& steps_;
    const waiting& how_;
    bool is_barrier_;
};

} // namespace topo::detail
