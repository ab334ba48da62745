// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/detail/inline.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE segments cut(const message& what, std::size_t segment_bytes) {
    return {what.count, size_of(what.type), segment_bytes};
}

TOPOMP_INLINE void broadcast_operation::start(context& ranks, const tree_plan& plan, message what, int root) {
    edges_ = *ranks.edges_for(plan, root, operand_order::any);
    go(ranks, plan, what);
}

TOPOMP_INLINE void broadcast_operation::start_at_once(context& ranks, const tree_plan& plan, message what,
                                                      int root) {
    if (ranks.knows(plan, root, operand_order::any)) return start(ranks, plan, what, root);
    edges_ = *ranks.edges_for(plan, 0, operand_order::any);
    std::erase(edges_.children, root);
    if (ranks.rank() == 0) edges_.parent = root;
    if (ranks.rank() == root) {
        edges_.parent = -1;
        edges_.children.insert(edges_.children.begin(), 0);
    }
    go(ranks, plan, what);
}

TOPOMP_INLINE void broadcast_operation::go(context& ranks, const tree_plan& plan, message what) {
    slots_.clear();
    down_.start(ranks.private_comm(), ranks.next_tag(), edges_, what, cut(what, plan.segment_bytes), slots_);
}

TOPOMP_INLINE void reduce_operation::start(context& ranks, const tree_plan& plan, const void* input,
                                           message result, combination combiner, int root) {
    slots_.clear();
    has_detour_ = false;
    context& chosen = ranks.for_operands(plan, order_for(combiner));
    edges_ = *chosen.edges_for(plan, root, order_for(combiner));
    up_.start(chosen.private_comm(), chosen.next_tag(), edges_, input, result, combiner,
              cut(result, plan.segment_bytes), slots_);
}

TOPOMP_INLINE void reduce_operation::start_at_once(context& ranks, const tree_plan& plan, const void* input,
                                                   message result, combination combiner, int root) {
    context& chosen = ranks.for_operands(plan, order_for(combiner));
    if (chosen.knows(plan, root, order_for(combiner)))
        return start(ranks, plan, input, result, combiner, root);
    slots_.clear();
    edges_ = *chosen.edges_for(plan, 0, order_for(combiner));
    const segments pieces = cut(result, plan.segment_bytes);
    const bool is_first = edges_.parent < 0, is_last = chosen.rank() == root;
    message sum = result;
    if (is_first) {
        const type_layout layout{result.type};
        sum_.reserve(layout.span(result.count));
        sum.data = sum_.data() - layout.true_lower;
    }
    has_detour_ = is_first || is_last;
    up_.start(chosen.private_comm(), chosen.next_tag(), edges_, input, sum, combiner, pieces, slots_);
    const int tag = chosen.next_tag();
    if (!has_detour_) return;
    detour_edges_.parent = is_first ? -1 : 0;
    detour_edges_.children.assign(is_first ? 1 : 0, root);
    detour_.start(chosen.private_comm(), tag, detour_edges_, is_first ? sum : result, pieces, slots_);
}

TOPOMP_INLINE operand_order reduce_operation::order_for(combination combiner) {
    return combiner.is_commutative ? operand_order::any : operand_order::of_ranks;
}

TOPOMP_INLINE bool reduce_operation::advance() {
    const bool is_up = up_.advance();
    if (!has_detour_) return is_up;
    const bool is_there =
        edges_.parent < 0 ? detour_.advance(up_.complete()) : detour_.advance(0, up_.released());
    return is_up && is_there;
}

TOPOMP_INLINE void all_reduce_operation::start(context& ranks, const tree_plan& plan, const void* input,
                                               message result, combination combiner) {
    start(ranks, plan, input, result, combiner, cut(result, plan.segment_bytes));
}

TOPOMP_INLINE void all_reduce_operation::start_barrier(context& ranks, const tree_plan& plan) {
    start(ranks, plan, nullptr, {}, {}, segments::signal());
}

TOPOMP_INLINE void all_reduce_operation::start(context& ranks, const tree_plan& plan, const void* input,
                                               message result, combination combiner, const segments& pieces) {
    slots_.clear();
    const auto order = combiner.is_commutative ? operand_order::any : operand_order::of_ranks;
    context& chosen = ranks.for_operands(plan, order);
    const tree_edges& edges = *chosen.edges_for(plan, 0, order);
    is_root_ = edges.parent < 0;
    up_.start(chosen.private_comm(), chosen.next_tag(), edges, input, result, combiner, pieces, slots_);
    down_.start(chosen.private_comm(), chosen.next_tag(), edges, result, pieces, slots_);
}

TOPOMP_INLINE bool all_reduce_operation::advance() {
    const bool is_up = up_.advance();
    const bool is_down = is_root_ ? down_.advance(up_.complete()) : down_.advance(0, up_.released());
    return is_up && is_down;
}

} // namespace topo::detail
