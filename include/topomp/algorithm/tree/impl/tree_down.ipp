// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/segments.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/tree_down.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE void tree_down::start(MPI_Comm private_comm, int tag, const tree_edges& edges, message what,
                                    const segments& cut, std::vector<MPI_Request>& slots) {
    private_comm_ = private_comm;
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

TOPOMP_INLINE bool tree_down::advance(std::size_t available, std::size_t writable) {
    if (edges_->parent >= 0) {
        available = receive(writable);
    }
    while (sent_ < cut_.number && sent_ < available && serve()) {
    }
    return sent_ == cut_.number && is_quiet();
}

TOPOMP_INLINE std::size_t tree_down::receive(std::size_t writable) {
    while (received_ < posted_ && slot(received_ % segment_window) == MPI_REQUEST_NULL)
        ++received_;
    while (posted_ < cut_.number && posted_ < writable && posted_ < received_ + segment_window) {
        mpi::check(MPI_Irecv(layout_.element(what_.data, cut_.first(posted_)), cut_.length(posted_),
                             what_.type, edges_->parent, tag_, private_comm_,
                             &slot(posted_ % segment_window)),
                   "MPI_Irecv", "segment from the parent");
        ++posted_;
    }
    return received_;
}

TOPOMP_INLINE bool tree_down::serve() {
    const std::size_t children = edges_->children.size();
    if (next_child_ < children) {
        MPI_Request& request = slot(segment_window + (sent_ % segment_window) * children + next_child_);
        if (request != MPI_REQUEST_NULL) return false;
        mpi::check(mpi::isend(layout_.element(what_.data, cut_.first(sent_)), cut_.length(sent_), what_.type,
                              edges_->children[next_child_], tag_, private_comm_, &request),
                   "MPI_Isend", "segment to a child");
        ++next_child_;
    }
    if (next_child_ >= children) {
        next_child_ = 0;
        ++sent_;
    }
    return true;
}

TOPOMP_INLINE bool tree_down::is_quiet() {
    for (std::size_t i = 0; i < segment_window * (1 + edges_->children.size()); ++i)
        if (slot(i) != MPI_REQUEST_NULL) return false;
    return true;
}

} // namespace topo::detail
