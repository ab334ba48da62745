// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/lanes/lane_layout.hpp>
#include <topomp/algorithm/lanes/lane_operations.hpp>
#include <topomp/algorithm/lanes/stripes.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE void start_lane_broadcast(broadcast_stripes& op, context& ranks, const tree_plan& plan,
                                        const message& what, int root) {
    const auto trees = ranks.attached<lane_layout>().trees_from(plan, root);
    op.keep_trees({trees, nullptr});
    op.start(
        ranks, trees->edges.size(), [&](std::size_t lane) -> const tree_edges& { return trees->edges[lane]; },
        what, plan.segment_bytes);
}

TOPOMP_INLINE void lane_reduction::start_reduce(context& ranks, const tree_plan& plan, const void* input,
                                                const message& result, combination combiner, int root) {
    auto& layout = ranks.attached<lane_layout>();
    begin(layout.trees_to(plan, root, order_for(combiner)));
    const auto lanes = trees_->edges.size();
    const auto seat = trees_->root;
    const bool is_root = ranks.rank() == root, is_beside = layout.node_number() == seat.node;
    const auto own_lane = static_cast<std::size_t>(layout.number());
    message target{is_root ? result.data : nullptr, result.count, result.type};
    for (std::size_t i = 0; i < lanes; ++i) {
        const bool is_from_root = i == static_cast<std::size_t>(seat.number);
        const bool is_mine = is_beside && i == own_lane && !is_from_root;
        const message part = stripe_of(target, i, lanes);
        const message sum = is_mine ? room_for(part) : part;
        const segments pieces = cut(part, plan.segment_bytes);
        ups_[i].start(ranks.private_comm(), ranks.next_tag(), trees_->edges[i], input_of(input, result, i),
                      sum, combiner, pieces, slots_);
        const int tag = ranks.next_tag();
        has_down_[i] = is_mine || (is_root && !is_from_root);
        if (!has_down_[i]) continue;
        hops_[i].parent = is_mine ? -1 : layout.node()[i];
        hops_[i].children.assign(is_mine ? 1 : 0, root);
        downs_[i].start(ranks.private_comm(), tag, hops_[i], sum, pieces, slots_);
    }
}

TOPOMP_INLINE void lane_reduction::start_all_reduce(context& ranks, const tree_plan& plan, const void* input,
                                                    const message& result, combination combiner) {
    begin(ranks.attached<lane_layout>().trees_to(plan, 0, order_for(combiner)));
    const auto lanes = trees_->edges.size();
    for (std::size_t i = 0; i < lanes; ++i) {
        const message part = stripe_of(result, i, lanes);
        const segments pieces = cut(part, plan.segment_bytes);
        const tree_edges& edges = trees_->edges[i];
        ups_[i].start(ranks.private_comm(), ranks.next_tag(), edges, input_of(input, result, i), part,
                      combiner, pieces, slots_);
        downs_[i].start(ranks.private_comm(), ranks.next_tag(), edges, part, pieces, slots_);
        has_down_[i] = true;
    }
}

TOPOMP_INLINE operand_order lane_reduction::order_for(combination combiner) {
    return combiner.is_commutative ? operand_order::any : operand_order::of_ranks;
}

TOPOMP_INLINE void lane_reduction::begin(std::shared_ptr<const lane_trees> trees) {
    slots_.clear();
    trees_ = std::move(trees);
    if (const std::size_t lanes = trees_->edges.size(); ups_.size() < lanes) {
        ups_.resize(lanes);
        downs_.resize(lanes);
        hops_.resize(lanes);
        has_down_.resize(lanes);
    }
}

TOPOMP_INLINE const void* lane_reduction::input_of(const void* input, const message& like,
                                                   std::size_t lane) const {
    return stripe_of({const_cast<void*>(input), like.count, like.type}, lane, trees_->edges.size()).data;
}

TOPOMP_INLINE message lane_reduction::room_for(message part) {
    const type_layout layout{part.type};
    sum_.reserve(layout.span(part.count));
    part.data = sum_.data() - layout.true_lower;
    return part;
}

TOPOMP_INLINE bool lane_reduction::advance() {
    bool is_done = true;
    for (std::size_t i = 0; i < trees_->edges.size(); ++i) {
        is_done = ups_[i].advance() && is_done;
        if (!has_down_[i]) continue;
        const bool is_source = trees_->edges[i].parent < 0;
        is_done =
            (is_source ? downs_[i].advance(ups_[i].complete()) : downs_[i].advance(0, ups_[i].released())) &&
            is_done;
    }
    return is_done;
}

} // namespace topo::detail
