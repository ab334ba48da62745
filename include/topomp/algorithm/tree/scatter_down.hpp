// SPDX-License-Identifier: BSL-1.0
/// @file
/// Every rank's block from the root of a tree down to its owner.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/tree/block_sizes.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/subtree.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// Moves every rank's block from the root of a tree to its owner: the reverse of `gather_up`. Blocks whose
/// layout in the root's buffer equals that of the message are sent from there, and a leaf receives into its
/// caller's elements.
class scatter_down {
public:
    /// @param sizes of the blocks below, in the subtree's order
    /// @param source the root's
    /// @param mine where the calling rank's block goes, may be the root's own in `source`. A block of another
    /// size than the arriving one is not written
    /// @param slots this engine is the last to use
    void start(MPI_Comm private_comm, int tag, const tree_edges& edges, const subtree& below,
               const block_sizes& sizes, const blocks& source, const message& mine,
               std::vector<MPI_Request>& slots);

    /// @return whether the caller's work is complete
    bool advance();

private:
    bool is_root() const { return edges_->parent < 0; }
    /// Whether the arriving block has the caller's size. @pre not on the root
    bool fits_own() const { return mine_.count * layout_.size == sizes_->of(0); }

    bool needs_scratch() const;

    /// The root's message for a child, if it needs no packing; no elements if it does.
    message direct(std::size_t child) const;

    void serve(std::size_t child);

    void keep_own();

    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int tag_ = 0;
    const tree_edges* edges_ = nullptr;
    const subtree* below_ = nullptr;
    const block_sizes* sizes_ = nullptr;
    blocks source_;
    message mine_;
    type_layout layout_{MPI_BYTE}; ///< the root's: of the source; else of the rank's own block
    std::vector<MPI_Request>* slots_ = nullptr;
    std::size_t first_slot_ = 0;
    scratch_buffer scratch_;   ///< the blocks below, the own one first
    scratch_buffer temporary_; ///< for the root's own block
    bool is_direct_leaf_ = false;
    bool is_served_ = false;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/tree/impl/scatter_down.ipp>
#endif
