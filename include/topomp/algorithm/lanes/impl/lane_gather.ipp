// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/lanes/lane_gather.hpp>
#include <topomp/algorithm/lanes/lane_layout.hpp>
#include <topomp/algorithm/lanes/lane_order.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/rounds/all_gather_operations.hpp>
#include <topomp/algorithm/tree/block_transfer.hpp>
#include <topomp/algorithm/tree/tree_down.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE void all_gather_lanes::start(context& ranks, const tree_plan& plan, const blocks& result) {
    auto& layout = ranks.attached<lane_layout>();
    const lane_order& rank_order = ranks.attached<lane_orders>().rank_order();
    const lane_order::trees& trees = ranks.attached<lane_orders>().trees_of(plan, operand_order::any);
    rank_order_ = &rank_order;
    result_ = result;
    layout_ = type_layout{result.type};
    lane_ = layout.number() % layout.lanes();
    node_ = layout.node_number();
    is_in_lane_ = layout.number() < layout.lanes();
    is_collected_ = is_unpacked_ = false;
    rank_ = ranks.rank();
    measure();
    slots_.clear();
    collect(ranks, layout);
    along_trees_ = trees.along.size();
    along_.resize(std::max(along_.size(), along_trees_));
    inside_trees_ = trees.inside.size();
    inside_.resize(std::max(inside_.size(), inside_trees_));
    const auto go = [&](tree_down& down, const tree_edges& edges, int tag, const message& bytes) {
        down.start(ranks.private_comm(), tag, edges, bytes, {bytes.count, 1, plan.segment_bytes}, slots_);
    };
    for (int node = 0; node < rank_order.nodes; ++node) {
        const auto i = static_cast<std::size_t>(node);
        const int tag = ranks.next_tag(); // also without a lane, so that all ranks use equally many tags
        if (i < along_trees_) go(along_[i], trees.along[i], tag, packed(rank_order.group(lane_, node), 1));
    }
    for (int lane = 0; lane < layout.lanes(); ++lane) {
        const auto i = static_cast<std::size_t>(lane);
        go(inside_[i], trees.inside[i], ranks.next_tag(),
           packed(rank_order.group(lane, 0), rank_order.nodes));
    }
}

TOPOMP_INLINE void all_gather_lanes::measure() {
    begin_.assign(1, 0);
    for (const int rank : rank_order_->ranks)
        begin_.push_back(begin_.back() + result_.count_of(rank) * layout_.size);
    scratch_.reserve(begin_.back());
}

TOPOMP_INLINE void all_gather_lanes::collect(context& ranks, const lane_layout& layout) {
    const int tag = ranks.next_tag();
    if (!is_in_lane_) {
        out_.start(result_.block_of(rank_, layout_), layout_, layout.node()[static_cast<std::size_t>(lane_)],
                   tag, ranks.private_comm(), slots_);
    } else {
        const auto mine = rank_order_->members(rank_order_->group(lane_, node_));
        in_.resize(std::max(in_.size(), mine.size()));
        for (std::size_t i = 0; i < mine.size(); ++i)
            if (mine[i] != rank_)
                in_[i].start(result_.block_of(mine[i], layout_), layout_, mine[i], tag, ranks.private_comm(),
                             slots_);
    }
    collecting_ = slots_.size();
}

TOPOMP_INLINE message all_gather_lanes::packed(std::size_t group, int groups) const {
    const std::size_t first = begin_[rank_order_->begin[group]];
    const std::size_t end = begin_[rank_order_->begin[group + static_cast<std::size_t>(groups)]];
    return {scratch_.data() + first, end - first, MPI_PACKED};
}

TOPOMP_INLINE bool all_gather_lanes::advance() {
    if (!is_collected_) finish_collecting();
    bool is_along = true;
    for (std::size_t i = 0; is_in_lane_ && i < along_trees_; ++i) {
        const bool is_mine = static_cast<int>(i) == node_;
        is_along = along_[i].advance(is_mine && !is_collected_ ? 0 : tree_down::unlimited) && is_along;
    }
    bool is_inside = true;
    for (std::size_t i = 0; i < inside_trees_; ++i) {
        const bool is_mine = is_in_lane_ && static_cast<int>(i) == lane_;
        is_inside = inside_[i].advance(is_mine && !is_along ? 0 : tree_down::unlimited) && is_inside;
    }
    if (!is_collected_ || !is_along || !is_inside) return false;
    if (!is_unpacked_) unpack_others();
    return true;
}

TOPOMP_INLINE void all_gather_lanes::finish_collecting() {
    for (std::size_t i = 0; i < collecting_; ++i)
        if (slots_[i] != MPI_REQUEST_NULL) return;
    is_collected_ = true;
    if (!is_in_lane_) return;
    for (incoming_block& each : in_)
        each.finish();
    const std::size_t mine = rank_order_->group(lane_, node_);
    for (std::size_t i = rank_order_->begin[mine]; i < rank_order_->begin[mine + 1]; ++i)
        pack(result_.block_of(rank_order_->ranks[i], layout_), layout_, scratch_.data() + begin_[i]);
}

TOPOMP_INLINE void all_gather_lanes::unpack_others() {
    is_unpacked_ = true;
    const std::size_t mine = rank_order_->group(lane_, node_);
    for (std::size_t i = 0; i < rank_order_->ranks.size(); ++i) {
        const bool is_here = is_in_lane_ ? i >= rank_order_->begin[mine] && i < rank_order_->begin[mine + 1]
                                         : rank_order_->ranks[i] == rank_;
        if (!is_here)
            unpack(scratch_.data() + begin_[i], result_.block_of(rank_order_->ranks[i], layout_), layout_);
    }
}

} // namespace topo::detail
