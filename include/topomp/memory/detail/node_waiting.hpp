// SPDX-License-Identifier: BSL-1.0
/// @file
/// How ranks of a running MPI wait for each other in shared memory.
#pragma once

#include <topomp/memory/detail/background_work.hpp>
#include <topomp/memory/detail/waiting.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <cstddef>
#include <memory>

namespace topo::detail {

/// Whether the ranks of a communicator are more than the cores they may run on together.
/// @collective over `comm`, whose ranks share a node @cost an all-reduce of 128 bytes
bool outnumber_cores(const boost::mpi::communicator& comm);

/// How the ranks of a node wait. @collective over `comm` when it is made
class node_waiting {
public:
    /// @param work with which a rank goes on while it waits; null: nothing
    explicit node_waiting(boost::mpi::communicator comm, std::shared_ptr<background_slot> work = nullptr);
    node_waiting(const node_waiting&) = delete;
    node_waiting& operator=(const node_waiting&) = delete;

    const waiting& waits() const noexcept { return waits_; }
    /// With what a rank goes on; null: nothing.
    const std::shared_ptr<background_slot>& background() const noexcept { return work_; }
    /// Whether they are more than the cores they may run on together.
    bool is_oversubscribed() const noexcept { return is_oversubscribed_; }

private:
    static bool are_oversubscribed(const boost::mpi::communicator& comm);
    std::size_t looks() const noexcept;
    /// Lets MPI move messages, and goes on with the work; not in simulations, where a look for messages takes
    /// long. @param self this
    static void go_on(const void* self);

    boost::mpi::communicator comm_;
    MPI_Comm raw_; ///< on which no messages are sent
    std::shared_ptr<background_slot> work_;
    bool is_oversubscribed_;
    waiting waits_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/memory/impl/node_waiting.ipp>
#endif
