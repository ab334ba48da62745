// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/tree/block_sizes.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/gather_up.hpp>
#include <topomp/algorithm/tree/subtree.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE void gather_up::start(MPI_Comm private_comm, int tag, const tree_edges& edges,
                                    const subtree& below, const block_sizes& sizes, const message& mine,
                                    const blocks& result, std::vector<MPI_Request>& slots) {
    private_comm_ = private_comm;
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
    if (needs_scratch()) scratch_.reserve(sizes.total());
    for (std::size_t child = edges.children.size(); child-- > 0;)
        receive_from(child);
    if (is_root()) return place_own();
    if (!is_direct_leaf_) pack(mine, layout_, scratch_.data());
    for_pieces(0, below.ranks.size(), [&](std::size_t first, std::size_t end) {
        going_.push_back({first, end, 0, 0});
    });
}

TOPOMP_INLINE bool gather_up::advance() {
    while (gone_ < going_.size() && has_come_behind(going_[gone_].first))
        send(going_[gone_++]);
    if (gone_ < going_.size() || !are_free(*slots_, first_slot_)) return false;
    if (is_root() && !is_placed_) place_results();
    is_placed_ = true;
    return true;
}

TOPOMP_INLINE bool gather_up::has_come_behind(std::size_t first) {
    const auto is_there = [this](const piece& each) {
        return std::all_of(slots_->begin() + static_cast<std::ptrdiff_t>(each.first_slot),
                           slots_->begin() + static_cast<std::ptrdiff_t>(each.end_slot),
                           [](MPI_Request request) { return request == MPI_REQUEST_NULL; });
    };
    while (come_ < coming_.size() && is_there(coming_[come_]))
        ++come_;
    return come_ == coming_.size() || coming_[come_].end <= first;
}

TOPOMP_INLINE void gather_up::send(const piece& what) {
    const std::size_t begin = sizes_->begin(what.first);
    if (is_direct_leaf_)
        send_short(mine_, edges_->parent, tag_, private_comm_, *slots_);
    else
        send_packed(scratch_.data() + begin, sizes_->begin(what.end) - begin, edges_->parent, tag_,
                    private_comm_, *slots_);
}

TOPOMP_INLINE bool gather_up::needs_scratch() const {
    if (!is_root()) return !is_direct_leaf_;
    for (std::size_t child = 0; child < edges_->children.size(); ++child)
        if (sizes_->of_child(*below_, child) > 0 && direct(child).count == 0) return true;
    return false;
}

TOPOMP_INLINE message gather_up::direct(std::size_t child) const {
    if (!is_root()) return {};
    const message run = result_.run_of(below_->below(child), layout_);
    const bool fits = run.count * layout_.size == sizes_->of_child(*below_, child);
    return fits && arrives_as_it_lies(run, layout_) ? run : message{};
}

TOPOMP_INLINE void gather_up::receive_from(std::size_t child) {
    const bool is_direct = direct(child).count > 0;
    const int from = edges_->children[child];
    for_pieces(below_->begin[child], below_->begin[child + 1], [&](std::size_t first, std::size_t end) {
        const std::size_t slot = slots_->size();
        if (is_direct)
            receive_short(result_.run_of(std::span{below_->ranks}.subspan(first, end - first), layout_),
                          layout_, from, tag_, private_comm_, *slots_);
        else
            receive_packed(scratch_.data() + sizes_->begin(first), sizes_->begin(end) - sizes_->begin(first),
                           from, tag_, private_comm_, *slots_);
        coming_.push_back({first, end, slot, slots_->size()});
    });
}

TOPOMP_INLINE void gather_up::place_own() {
    const message own = result_.block_of(below_->ranks.front(), layout_);
    if (own.count * layout_.size == sizes_->of(0)) copy_block(mine_, own, temporary_);
}

TOPOMP_INLINE void gather_up::place_results() {
    for (std::size_t child = 0; child < edges_->children.size(); ++child) {
        if (sizes_->of_child(*below_, child) == 0 || direct(child).count > 0) continue;
        for (std::size_t i = below_->begin[child]; i < below_->begin[child + 1]; ++i) {
            const message block = result_.block_of(below_->ranks[i], layout_);
            if (block.count * layout_.size == sizes_->of(i))
                unpack(scratch_.data() + sizes_->begin(i), block, layout_);
        }
    }
}

} // namespace topo::detail
