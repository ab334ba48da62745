// SPDX-License-Identifier: BSL-1.0
/// @file
/// Everybody's block up a tree to its root.
#pragma once

#include <topomp/algorithm/block_sizes.hpp>
#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/cell.hpp>
#include <topomp/algorithm/edges.hpp>
#include <topomp/algorithm/operation.hpp>
#include <topomp/algorithm/packed.hpp>
#include <topomp/algorithm/subtree.hpp>
#include <topomp/core/message.hpp>

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// Moves everybody's block to the root of a tree. Blocks travel as bytes, in the order of the subtree; those
/// that lie in the root's result as they travel are received in place, and a leaf sends its caller's elements
/// as they lie.
///
/// ```
///   0 - 4 - 6      6 sends its block;  4 sends 4 5 6 -> 4 6 5, packed;  1 sends its block
///     |   ` 5      0 unpacks 4 6 5 into places 4, 6 and 5, and receives 1 there
///     ` 1
/// ```
class gather_up {
public:
    /// @param sizes of the blocks below, in the subtree's order
    /// @param result the root's; its own block may be its `mine` already. Blocks of another size than the
    /// ones that come are left alone
    /// @param slots this engine is the last to use
    void start(MPI_Comm wire, int tag, const tree_edges& edges, const subtree& below,
               const block_sizes& sizes, const message& mine, const blocks& result,
               std::vector<MPI_Request>& slots) {
        wire_ = wire;
        tag_ = tag;
        edges_ = &edges;
        below_ = &below;
        sizes_ = &sizes;
        mine_ = mine;
        result_ = result;
        slots_ = &slots;
        first_slot_ = slots.size();
        is_forwarded_ = false;
        layout_ = type_layout{is_root() ? result.type : mine.type};
        is_direct_leaf_ = !is_root() && edges.children.empty() && is_short(mine, layout_);
        if (needs_cell()) cell_.reserve(sizes.total());
        for (std::size_t child = 0; child < edges.children.size(); ++child)
            receive_from(child);
        if (is_root())
            place_own();
        else if (!is_direct_leaf_)
            pack(mine, layout_, cell_.data());
    }

    /// @return whether the caller's part is done
    bool advance() {
        if (!are_free(*slots_, first_slot_)) return false;
        if (is_forwarded_) return true;
        is_forwarded_ = true;
        slots_->resize(first_slot_);
        if (is_root())
            place_results();
        else if (!is_direct_leaf_)
            send_packed(cell_.data(), sizes_->total(), edges_->parent, tag_, wire_, *slots_);
        else if (sizes_->total() > 0)
            send_short(mine_, edges_->parent, tag_, wire_, *slots_);
        return are_free(*slots_, first_slot_);
    }

private:
    bool is_root() const { return edges_->parent < 0; }

    bool needs_cell() const {
        if (!is_root()) return !is_direct_leaf_;
        for (std::size_t child = 0; child < edges_->children.size(); ++child)
            if (sizes_->of_child(*below_, child) > 0 && straight(child).count == 0) return true;
        return false;
    }

    /// What a child brings, if it can go straight into the result; no elements if not.
    message straight(std::size_t child) const {
        if (!is_root()) return {};
        const message run = result_.run_of(below_->below(child), layout_);
        const bool fits = run.count * layout_.size == sizes_->of_child(*below_, child);
        return fits && is_short(run, layout_) ? run : message{};
    }

    void receive_from(std::size_t child) {
        const std::size_t bytes = sizes_->of_child(*below_, child);
        if (bytes == 0) return;
        if (const message run = straight(child); run.count > 0)
            receive_short(run, edges_->children[child], tag_, wire_, *slots_);
        else
            receive_packed(cell_.data() + sizes_->begin(below_->begin[child]), bytes, edges_->children[child],
                           tag_, wire_, *slots_);
    }

    void place_own() {
        const message own = result_.block_of(below_->ranks.front(), layout_);
        if (own.count * layout_.size == sizes_->of(0)) copy_block(mine_, own, temporary_);
    }

    void place_results() {
        for (std::size_t child = 0; child < edges_->children.size(); ++child) {
            if (sizes_->of_child(*below_, child) == 0 || straight(child).count > 0) continue;
            for (std::size_t i = below_->begin[child]; i < below_->begin[child + 1]; ++i) {
                const message block = result_.block_of(below_->ranks[i], layout_);
                if (block.count * layout_.size == sizes_->of(i))
                    unpack(cell_.data() + sizes_->begin(i), block, layout_);
            }
        }
    }

    MPI_Comm wire_ = MPI_COMM_NULL;
    int tag_ = 0;
    const tree_edges* edges_ = nullptr;
    const subtree* below_ = nullptr;
    const block_sizes* sizes_ = nullptr;
    message mine_;
    blocks result_;
    type_layout layout_{MPI_BYTE}; ///< the root's: of the result; else of the rank's own block
    std::vector<MPI_Request>* slots_ = nullptr;
    std::size_t first_slot_ = 0;
    cell cell_;      ///< the blocks below, the own one first
    cell temporary_; ///< for the root's own block
    bool is_direct_leaf_ = false;
    bool is_forwarded_ = false;
};

} // namespace topo::detail
