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

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

/// Moves everybody's block to the root of a tree. Blocks travel as bytes, in the order of the subtree; those
/// that lie in the root's result as they travel are received in place, and a leaf sends its caller's elements
/// as they lie. What is long goes on in pieces of whole blocks, the last ones first, for those are of the
/// nearest ranks, while the others are still on their way.
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
        is_placed_ = false;
        going_.clear();
        coming_.clear();
        gone_ = come_ = 0;
        layout_ = type_layout{is_root() ? result.type : mine.type};
        is_direct_leaf_ = !is_root() && edges.children.empty() && is_short(mine, layout_);
        if (needs_cell()) cell_.reserve(sizes.total());
        for (std::size_t child = edges.children.size(); child-- > 0;)
            receive_from(child);
        if (is_root()) return place_own();
        if (!is_direct_leaf_) pack(mine, layout_, cell_.data());
        for_pieces(0, below.ranks.size(), [&](std::size_t first, std::size_t end) {
            going_.push_back({first, end, 0, 0});
        });
    }

    /// @return whether the caller's part is done
    bool advance() {
        while (gone_ < going_.size() && has_come_behind(going_[gone_].first))
            send(going_[gone_++]);
        if (gone_ < going_.size() || !are_free(*slots_, first_slot_)) return false;
        if (is_root() && !is_placed_) place_results();
        is_placed_ = true;
        return true;
    }

private:
    /// Blocks from `first` to before `end`, in the order of the subtree, and the slots in which they come.
    struct piece {
        std::size_t first, end, first_slot, end_slot;
    };
    static constexpr std::size_t piece_bytes = 65536; ///< at least, but for the last one

    /// Calls `f(first, end)` for the pieces of a part of the subtree, from its end: the same on both ends of
    /// an edge.
    template <class F>
    void for_pieces(std::size_t begin, std::size_t end, F f) const {
        for (std::size_t first = end; first-- > begin;) {
            const std::size_t bytes = sizes_->begin(end) - sizes_->begin(first);
            if (bytes < piece_bytes && first > begin) continue;
            if (bytes > 0) f(first, end);
            end = first;
        }
    }

    /// Whether all blocks from `first` on have come.
    bool has_come_behind(std::size_t first) {
        const auto is_there = [this](const piece& each) {
            return std::all_of(slots_->begin() + static_cast<std::ptrdiff_t>(each.first_slot),
                               slots_->begin() + static_cast<std::ptrdiff_t>(each.end_slot),
                               [](MPI_Request request) { return request == MPI_REQUEST_NULL; });
        };
        while (come_ < coming_.size() && is_there(coming_[come_]))
            ++come_;
        return come_ == coming_.size() || coming_[come_].end <= first;
    }

    void send(const piece& what) {
        const std::size_t begin = sizes_->begin(what.first);
        if (is_direct_leaf_)
            send_short(mine_, edges_->parent, tag_, wire_, *slots_);
        else
            send_packed(cell_.data() + begin, sizes_->begin(what.end) - begin, edges_->parent, tag_, wire_,
                        *slots_);
    }

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
        return fits && arrives_as_it_lies(run, layout_) ? run : message{};
    }

    void receive_from(std::size_t child) {
        const bool is_straight = straight(child).count > 0;
        const int from = edges_->children[child];
        for_pieces(below_->begin[child], below_->begin[child + 1], [&](std::size_t first, std::size_t end) {
            const std::size_t slot = slots_->size();
            if (is_straight)
                receive_short(result_.run_of(std::span{below_->ranks}.subspan(first, end - first), layout_),
                              layout_, from, tag_, wire_, *slots_);
            else
                receive_packed(cell_.data() + sizes_->begin(first), sizes_->begin(end) - sizes_->begin(first),
                               from, tag_, wire_, *slots_);
            coming_.push_back({first, end, slot, slots_->size()});
        });
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
    std::vector<piece> coming_, going_; ///< the last ones first
    std::size_t come_ = 0, gone_ = 0;   ///< so many of them
    bool is_placed_ = false;
};

} // namespace topo::detail
