// SPDX-License-Identifier: BSL-1.0
/// @file
/// How ranks of a running MPI wait for each other in shared memory.
#pragma once

#include <topomp/memory/detail/waiting.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

/// Whether the ranks of a communicator are more than the cores they may run on together.
/// @collective over `comm`, whose ranks share a node @cost an all-reduce of 128 bytes
bool outnumber_cores(const boost::mpi::communicator& comm);

/// Lets MPI move messages. @param state a communicator on which nobody sends
void progress_mpi(const void* state);

/// How the ranks of a node wait. @collective over `comm` when it is made
class node_waiting {
public:
    explicit node_waiting(boost::mpi::communicator comm);
    node_waiting(const node_waiting&) = delete;
    node_waiting& operator=(const node_waiting&) = delete;

    const waiting& waits() const noexcept { return waits_; }
    /// Whether they are more than the cores they may run on together.
    bool is_oversubscribed() const noexcept { return is_oversubscribed_; }

private:
    static bool are_oversubscribed(const boost::mpi::communicator& comm);
    std::size_t looks() const noexcept;

    boost::mpi::communicator comm_;
    MPI_Comm raw_;
    bool is_oversubscribed_;
    waiting waits_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/memory/impl/node_waiting.ipp>
#endif
