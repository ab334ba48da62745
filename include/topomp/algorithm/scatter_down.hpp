// SPDX-License-Identifier: BSL-1.0
/// @file
/// Everybody's block from the root of a tree down to its owner.
#pragma once

#include <topomp/algorithm/block_sizes.hpp>
#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/edges.hpp>
#include <topomp/algorithm/operation.hpp>
#include <topomp/algorithm/packed.hpp>
#include <topomp/algorithm/subtree.hpp>
#include <topomp/core/message.hpp>

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// Moves everybody's block from the root of a tree to its owner: the way of `gather_up` backwards. Blocks
/// that lie in the root's buffer as they travel are sent from there, and a leaf receives straight into its
/// caller's elements.
class scatter_down {
public:
    /// @param sizes of the blocks below, in the subtree's order
    /// @param source the root's; @param mine where the calling rank's block goes, may be the root's own in
    /// `source`
    void start(MPI_Comm wire, int tag, const tree_edges& edges, const subtree& below,
               const block_sizes& sizes, const blocks& source, const message& mine,
               std::vector<MPI_Request>& slots) {
        wire_ = wire;
        tag_ = tag;
        edges_ = &edges;
        below_ = &below;
        sizes_ = &sizes;
        source_ = source;
        mine_ = mine;
        slots_ = &slots;
        first_slot_ = slots.size();
        is_served_ = false;
        is_direct_leaf_ = edges.children.empty() && is_short(mine);
        const bool is_root = edges.parent < 0;
        cell_.resize(!is_root && is_direct_leaf_ ? 0 : sizes.total());
        if (is_root) return;
        if (!is_direct_leaf_)
            receive_packed(cell_.data(), sizes.total(), edges.parent, tag, wire, slots);
        else if (mine.count > 0)
            receive_short(mine, edges.parent, tag, wire, slots);
    }

    bool advance() {
        if (!are_free(*slots_, first_slot_)) return false;
        if (is_served_) return true;
        is_served_ = true;
        slots_->resize(first_slot_);
        for (std::size_t child = 0; child < edges_->children.size(); ++child)
            serve(child);
        keep_own();
        return are_free(*slots_, first_slot_);
    }

private:
    void serve(std::size_t child) {
        const std::size_t first = sizes_->begin(below_->begin[child]),
                          end = sizes_->begin(below_->begin[child + 1]);
        if (first == end) return;
        if (edges_->parent < 0) {
            if (const message run = source_.run_of(below_->below(child));
                run.data != nullptr && is_short(run)) {
                send_short(run, edges_->children[child], tag_, wire_, *slots_);
                return;
            }
            for (std::size_t i = below_->begin[child]; i < below_->begin[child + 1]; ++i)
                pack(source_.block_of(below_->ranks[i]), cell_.data() + sizes_->begin(i));
        }
        send_packed(cell_.data() + first, end - first, edges_->children[child], tag_, wire_, *slots_);
    }

    void keep_own() {
        if (edges_->parent < 0) {
            const message own = source_.block_of(below_->ranks.front());
            if (own.data == mine_.data || mine_.count == 0) return;
            pack(own, cell_.data());
            unpack(cell_.data(), mine_);
        } else if (!is_direct_leaf_) {
            unpack(cell_.data(), mine_);
        }
    }

    MPI_Comm wire_ = MPI_COMM_NULL;
    int tag_ = 0;
    const tree_edges* edges_ = nullptr;
    const subtree* below_ = nullptr;
    const block_sizes* sizes_ = nullptr;
    blocks source_;
    message mine_;
    std::vector<MPI_Request>* slots_ = nullptr;
    std::size_t first_slot_ = 0;
    std::vector<std::byte> cell_; ///< the blocks below, the own one first
    bool is_direct_leaf_ = false;
    bool is_served_ = false;
};

} // namespace topo::detail
