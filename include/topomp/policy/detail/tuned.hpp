// SPDX-License-Identifier: BSL-1.0
/// @file
/// What `automatic` chooses, in one place.
///
/// Where a machine has parts, what scripts/tune found best in simulation: policy/detail/tuned_table.hpp. What
/// goes through the memory of nodes is chosen in tuned_node.hpp.
#pragma once

#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/policy/detail/call_key.hpp>
#include <topomp/policy/detail/tuned_choice.hpp>
#include <topomp/policy/detail/tuned_node.hpp>
#include <topomp/policy/detail/tuned_row.hpp>
#include <topomp/policy/detail/tuned_table.hpp>
#include <topomp/policy/policy.hpp>
#include <topomp/policy/policy_traits.hpp>

#include <cstddef>

namespace topo {

namespace detail {

using long_ordered_policy = segmented<8192, by_levels<in_order_binary, in_order_binary>>;
using unknown_blocks_policy = linear;
using long_broadcast_policy = segmented<16384, two_levels<chain>>;

/// What was found best for a verb, by scripts/tune.
constexpr tuned_choice best_choice(const call_key& now, verb what) {
    if (now.crosses_nodes()) return look_up(tuned_between_nodes, what, now.bytes, now.ranks, now.nodes());
    return look_up(tuned_inside_machine, what, now.bytes, now.ranks, now.nodes());
}
/// The same where operands must be combined in the order of ranks: trees that do.
constexpr tuned_choice best_choice_in_order(const call_key& now) {
    if (now.crosses_nodes())
        return look_up(tuned_between_nodes_in_order, verb::reduce, now.bytes, now.ranks, now.nodes());
    return look_up(tuned_inside_machine_in_order, verb::reduce, now.bytes, now.ranks, now.nodes());
}

/// Trees for broadcast, reduce, and what is like them: where one for each half is faster, a pipeline; where
/// rounds are, one that keeps the order.
constexpr tree_plan choose_tree(const call_key& now) {
    const selection& best =
        selection_of(best_choice(now, now.what == verb::broadcast ? verb::broadcast : verb::reduce), now);
    if (now.is_commutative && best.how == way::tree) return best.plan;
    if (now.is_commutative && best.how == way::halves) return tree_plan_of<long_broadcast_policy>;
    return selection_of(best_choice_in_order(now), now).plan;
}

/// What `automatic` does in a call.
constexpr selection choose(const call_key& now) {
    if (!now.has_parts()) return now.crosses_nodes() ? selection{} : choose_in_node(now);
    if (const auto chosen = choose_through_nodes(now)) return *chosen;
    switch (now.what) {
    case verb::gatherv:
    case verb::scatterv:
        return {way::tree, tree_plan_of<unknown_blocks_policy>};
    case verb::all_to_allv:
        return {way::pairwise};
    case verb::scan:
    case verb::exclusive_scan:
        return {way::tree, choose_tree(now)};
    case verb::broadcast:
    case verb::reduce:
    case verb::all_reduce:
    case verb::reduce_scatter:
        if (!now.is_commutative) return {way::tree, choose_tree(now)};
        break;
    case verb::all_gatherv:
        return selection_of(best_choice(now, verb::all_gather), now);
    default:
        break;
    }
    return selection_of(best_choice(now, now.what), now);
}

/// What it does in the background, where the first call must not wait until the ranks know who is near whom,
/// as exchanges do.
constexpr selection choose_in_background(const call_key& now) {
    if (!now.has_parts() || now.what == verb::all_to_all) return {};
    if (now.what == verb::all_gather && now.bytes >= 32768) return {way::ring};
    return {way::tree, choose_tree(now)};
}

} // namespace detail
} // namespace topo
