// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/lanes/lane_layout.hpp>
#include <topomp/algorithm/lanes/lane_order.hpp>
#include <topomp/algorithm/lanes/lane_reduce_scatter.hpp>
#include <topomp/algorithm/native/native.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/rounds/reduce_scatter_operation.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/algorithm/tree/tree_up.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>

#include <algorithm>
#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE void reduce_scatter_lanes::start(context& all_ranks, const tree_plan& plan, const blocks& input,
                                               const message& mine, combination combiner) {
    context& ranks = combiner.is_commutative ? all_ranks : all_ranks.in_rank_order();
    const auto order = combiner.is_commutative ? operand_order::any : operand_order::of_ranks;
    auto& rank_orders = ranks.attached<lane_orders>();
    const auto& layout = ranks.attached<lane_layout>();
    ranks_ = &ranks;
    rank_order_ = &rank_orders.rank_order();
    trees_ = &rank_orders.trees_of(plan, order);
    mine_ = mine;
    combiner_ = combiner;
    type_ = input.type;
    layout_ = type_layout{type_};
    segment_bytes_ = plan.segment_bytes;
    lane_ = layout.number() % layout.lanes();
    node_ = layout.node_number();
    is_in_lane_ = layout.number() < layout.lanes();
    first_ = layout.node()[static_cast<std::size_t>(lane_)];
    tags_.clear();
    for (int i = 0; i < layout.lanes() + rank_order_->nodes + 1; ++i)
        tags_.push_back(ranks.next_tag());
    copy_in_rank_order(input);
    go_inside();
}

TOPOMP_INLINE void reduce_scatter_lanes::copy_in_rank_order(const blocks& input) {
    begin_.assign(1, 0);
    for (const int rank : rank_order_->ranks)
        begin_.push_back(begin_.back() + input.count_of(rank));
    operands_.reserve(layout_.span(begin_.back()));
    for (std::size_t i = 0; i < rank_order_->ranks.size(); ++i) {
        const message block = input.block_of(rank_order_->ranks[i], layout_);
        const message copy = in_scratch(operands_, begin_[i], block.count);
        in_countable_pieces(block, [&](std::size_t first, int count) {
            copy_elements(layout_.element(block.data, first), layout_.element(copy.data, first), count,
                          block.type);
        });
    }
}

TOPOMP_INLINE message reduce_scatter_lanes::in_scratch(const scratch_buffer& memory, std::size_t first,
                                                       std::size_t count) const {
    return {layout_.element(memory.data() - layout_.true_lower, first), count, type_};
}

TOPOMP_INLINE reduce_scatter_lanes::range reduce_scatter_lanes::of_groups(int lane, int node,
                                                                          int groups) const {
    const std::size_t group = rank_order_->group(lane, node);
    const std::size_t first = begin_[rank_order_->begin[group]];
    return {first, begin_[rank_order_->begin[group + static_cast<std::size_t>(groups)]] - first};
}

TOPOMP_INLINE void reduce_scatter_lanes::go(std::size_t i, const tree_edges& edges, int tag,
                                            const message& operands, scratch_buffer& sum) {
    message result{nullptr, operands.count, operands.type};
    if (edges.parent < 0) {
        sum.reserve(layout_.span(operands.count));
        result.data = sum.data() - layout_.true_lower;
    }
    ups_[i].start(ranks_->private_comm(), tag, edges, operands.data, result, combiner_,
                  cut(operands, segment_bytes_), slots_);
}

TOPOMP_INLINE void reduce_scatter_lanes::go_inside() {
    phase_ = phase::inside;
    slots_.clear();
    trees_running_ = trees_->inside.size();
    ups_.resize(std::max(ups_.size(), trees_running_));
    for (std::size_t i = 0; i < trees_running_; ++i) {
        const range all = of_groups(static_cast<int>(i), 0, rank_order_->nodes);
        go(i, trees_->inside[i], tags_[i], in_scratch(operands_, all.first, all.count), node_sums_);
    }
}

TOPOMP_INLINE void reduce_scatter_lanes::go_along() {
    phase_ = phase::along;
    slots_.clear();
    trees_running_ = trees_->along.size();
    ups_.resize(std::max(ups_.size(), trees_running_));
    const std::size_t lane_begin = of_groups(lane_, 0, 1).first;
    for (std::size_t i = 0; i < trees_running_; ++i) {
        const range group = of_groups(lane_, static_cast<int>(i), 1);
        go(i, trees_->along[i], tags_[trees_->inside.size() + i],
           in_scratch(node_sums_, group.first - lane_begin, group.count), sums_);
    }
}

TOPOMP_INLINE void reduce_scatter_lanes::hand_out() {
    phase_ = phase::handing_out;
    slots_.clear();
    const int tag = tags_.back();
    if (!is_in_lane_)
        return in_.start(mine_, type_layout{mine_.type}, first_, tag, ranks_->private_comm(), slots_);
    const std::size_t group = rank_order_->group(lane_, node_);
    const auto members = rank_order_->members(group);
    outs_.resize(std::max(outs_.size(), members.size()));
    for (std::size_t i = 0; i < members.size(); ++i) {
        const std::size_t at = rank_order_->begin[group] + i;
        const message block =
            in_scratch(sums_, begin_[at] - begin_[rank_order_->begin[group]], begin_[at + 1] - begin_[at]);
        if (members[i] != ranks_->rank())
            outs_[i].start(block, layout_, members[i], tag, ranks_->private_comm(), slots_);
        else
            copy_block(block, mine_, temporary_);
    }
}

TOPOMP_INLINE bool reduce_scatter_lanes::are_up() {
    bool is_done = true;
    for (std::size_t i = 0; i < trees_running_; ++i)
        is_done = ups_[i].advance() && is_done;
    return is_done;
}

TOPOMP_INLINE bool reduce_scatter_lanes::advance() {
    if (phase_ == phase::inside && are_up()) go_along();
    if (phase_ == phase::along && are_up()) hand_out();
    if (phase_ == phase::handing_out && are_free(slots_, 0)) {
        in_.finish();
        phase_ = phase::done;
    }
    return phase_ == phase::done;
}

} // namespace topo::detail
