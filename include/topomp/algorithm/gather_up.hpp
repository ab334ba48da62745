// SPDX-License-Identifier: BSL-1.0
/// @file
/// Everybody's block up a tree to its root.
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
#include <span>
#include <vector>

namespace topo::detail {

/// Moves everybody's block to the root of a tree. Blocks travel as bytes, in the order of the subtree; those
/// that lie in the root's result as they travel are received in place, and a leaf sends its caller's elements
/// as they lie.
class gather_up {
public:
    /// @param sizes of the blocks below, in the subtree's order
    /// @param result the root's; its own block may be its `mine` already
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
        is_sent_ = false;
        const bool is_leaf = edges.children.empty();
        is_direct_leaf_ = is_leaf && is_short(mine);
        if (!is_root() || !is_leaf) cell_.resize(is_direct_leaf_ ? 0 : sizes.total());
        for (std::size_t child = 0; child < edges.children.size(); ++child)
            receive_from(child);
    }

    bool advance() {
        if (!are_free(*slots_, first_slot_)) return false;
        if (is_sent_) return true;
        is_sent_ = true;
        slots_->resize(first_slot_);
        if (is_root()) {
            place_results();
            return true;
        }
        if (is_direct_leaf_) {
            if (mine_.count > 0) send_short(mine_, edges_->parent, tag_, wire_, *slots_);
        } else {
            pack(mine_, cell_.data());
            send_packed(cell_.data(), sizes_->total(), edges_->parent, tag_, wire_, *slots_);
        }
        return are_free(*slots_, first_slot_);
    }

private:
    bool is_root() const { return edges_->parent < 0; }

    /// What a child brings, if it can go straight into the result; a null address if not.
    message straight(std::size_t child) const {
        if (!is_root()) return {};
        const message run = result_.run_of(below_->below(child));
        return is_short(run) ? run : message{};
    }

    void receive_from(std::size_t child) {
        const std::size_t first = sizes_->begin(below_->begin[child]),
                          end = sizes_->begin(below_->begin[child + 1]);
        if (first == end) return;
        if (const message run = straight(child); run.data != nullptr)
            receive_short(run, edges_->children[child], tag_, wire_, *slots_);
        else
            receive_packed(cell_.data() + first, end - first, edges_->children[child], tag_, wire_, *slots_);
    }

    void place_results() {
        const message own = result_.block_of(below_->ranks.front());
        if (own.data != mine_.data && own.count > 0) {
            std::vector<std::byte>& bytes = cell_;
            bytes.resize(std::max(bytes.size(), sizes_->begin(1)));
            pack(mine_, bytes.data());
            unpack(bytes.data(), own);
        }
        for (std::size_t child = 0; child < edges_->children.size(); ++child) {
            if (straight(child).data != nullptr) continue;
            for (std::size_t i = below_->begin[child]; i < below_->begin[child + 1]; ++i)
                unpack(cell_.data() + sizes_->begin(i), result_.block_of(below_->ranks[i]));
        }
    }

    MPI_Comm wire_ = MPI_COMM_NULL;
    int tag_ = 0;
    const tree_edges* edges_ = nullptr;
    const subtree* below_ = nullptr;
    const block_sizes* sizes_ = nullptr;
    message mine_;
    blocks result_;
    std::vector<MPI_Request>* slots_ = nullptr;
    std::size_t first_slot_ = 0;
    std::vector<std::byte> cell_; ///< the blocks below, the own one first
    bool is_direct_leaf_ = false;
    bool is_sent_ = false;
};

} // namespace topo::detail
