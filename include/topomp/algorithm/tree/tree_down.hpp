// SPDX-License-Identifier: BSL-1.0
/// @file
/// Data down a tree, in segments.
#pragma once

#include <topomp/algorithm/progress/segments.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <limits>
#include <vector>

namespace topo::detail {

/// Moves a message from the root of a tree to all ranks, directly between the callers' buffers.
class tree_down {
public:
    static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

    /// @param slots of the operation, to which this engine adds its own
    void start(MPI_Comm private_comm, int tag, const tree_edges& edges, message what, const segments& cut,
               std::vector<MPI_Request>& slots);

    /// @param available so many leading segments are in the root's buffer
    /// @param writable so many leading segments of the others' buffers may be written
    /// @return whether the caller's buffer is complete and has been sent to all children
    bool advance(std::size_t available = unlimited, std::size_t writable = unlimited);

private:
    MPI_Request& slot(std::size_t i) { return (*slots_)[first_slot_ + i]; }

    /// Posts receives. @return so many leading segments have arrived
    std::size_t receive(std::size_t writable);

    /// Sends one segment to one child. @return false if the window is full
    bool serve();

    bool is_quiet();

    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int tag_ = 0;
    const tree_edges* edges_ = nullptr;
    message what_;
    type_layout layout_{MPI_BYTE};
    segments cut_;
    std::vector<MPI_Request>* slots_ = nullptr;
    std::size_t first_slot_ = 0;
    std::size_t posted_ = 0, received_ = 0, sent_ = 0, next_child_ = 0;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/tree/impl/tree_down.ipp>
#endif
