// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/shared/node_synchronisation.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/memory/detail/signals.hpp>
#include <topomp/memory/detail/waiting.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <atomic>

namespace topo::detail {

TOPOMP_INLINE node_synchronisation::node_synchronisation(const boost::mpi::communicator& comm, signals& steps,
                                                         const waiting& waits, bool is_barrier)
    : comm_(comm), steps_(steps), waits_(waits), is_barrier_(is_barrier) {}

TOPOMP_INLINE void node_synchronisation::all() {
    if (is_barrier_) return barrier();
    steps_.barrier(waits_);
}

TOPOMP_INLINE void node_synchronisation::after(int one, std::size_t bytes) {
    if (is_barrier_) return barrier();
    steps_.one_to_many(one, waits_.for_one(bytes));
}

TOPOMP_INLINE void node_synchronisation::before(int one) {
    if (is_barrier_) return barrier();
    steps_.many_to_one(one, waits_);
}

TOPOMP_INLINE void node_synchronisation::barrier() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    mpi::check(MPI_Barrier(comm_), "MPI_Barrier", "ranks of a window");
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

} // namespace topo::detail
