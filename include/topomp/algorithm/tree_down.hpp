// SPDX-License-Identifier: BSL-1.0
/// @file
/// Data down a tree, in segments.
#pragma once

#include <topomp/algorithm/edges.hpp>
#include <topomp/algorithm/segments.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <mpi.h>

#include <cstddef>
#include <limits>
#include <vector>

namespace topo::detail {

/// Moves a message from the root of a tree to all ranks, straight between the callers' buffers.
class tree_down {
public:
    static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

    /// @param slots of the operation, to which this engine adds its own
    void start(MPI_Comm wire, int tag, const tree_edges& edges, message what, const segments& cut,
               std::vector<MPI_Request>& slots) {
        wire_ = wire;
        tag_ = tag;
        edges_ = &edges;
        what_ = what;
        layout_ = type_layout{what.type};
        cut_ = cut;
        slots_ = &slots;
        first_slot_ = slots.size();
        slots.resize(first_slot_ + segment_window * (1 + edges.children.size()), MPI_REQUEST_NULL);
        posted_ = received_ = sent_ = next_child_ = 0;
    }

    /// @param available so many leading segments are in the root's buffer
    /// @param writable so many leading segments of the others' buffers may be written
    /// @return whether the caller's buffer is complete and all its children are served
    bool advance(std::size_t available = unlimited, std::size_t writable = unlimited) {
        if (edges_->parent >= 0) {
            available = receive(writable);
        }
        while (sent_ < cut_.number && sent_ < available && serve()) {
        }
        return sent_ == cut_.number && is_quiet();
    }

private:
    MPI_Request& slot(std::size_t i) { return (*slots_)[first_slot_ + i]; }

    /// Keeps receives posted. @return so many leading segments are here
    std::size_t receive(std::size_t writable) {
        while (received_ < posted_ && slot(received_ % segment_window) == MPI_REQUEST_NULL)
            ++received_;
        while (posted_ < cut_.number && posted_ < writable && posted_ < received_ + segment_window) {
            mpi::check(MPI_Irecv(layout_.element(what_.data, cut_.first(posted_)), cut_.length(posted_),
                                 what_.type, edges_->parent, tag_, wire_, &slot(posted_ % segment_window)),
                       "MPI_Irecv", "segment from the parent");
            ++posted_;
        }
        return received_;
    }

    /// Sends one segment to one child. @return false if the window is full
    bool serve() {
        const std::size_t children = edges_->children.size();
        if (next_child_ < children) {
            MPI_Request& request = slot(segment_window + (sent_ % segment_window) * children + next_child_);
            if (request != MPI_REQUEST_NULL) return false;
            mpi::check(MPI_Isend(layout_.element(what_.data, cut_.first(sent_)), cut_.length(sent_),
                                 what_.type, edges_->children[next_child_], tag_, wire_, &request),
                       "MPI_Isend", "segment to a child");
            ++next_child_;
        }
        if (next_child_ >= children) {
            next_child_ = 0;
            ++sent_;
        }
        return true;
    }

    bool is_quiet() {
        for (std::size_t i = 0; i < segment_window * (1 + edges_->children.size()); ++i)
            if (slot(i) != MPI_REQUEST_NULL) return false;
        return true;
    }

    MPI_Comm wire_ = MPI_COMM_NULL;
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
