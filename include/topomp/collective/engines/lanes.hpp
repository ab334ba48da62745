// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `lanes`: broadcast, reduce, all_reduce.
#pragma once

#include <topomp/algorithm/lanes/lane_operations.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::lanes>, const broadcast_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<broadcast_stripes>(), [&](broadcast_stripes& op) {
        start_lane_broadcast(op, call.ranks, chosen.tree, call.data, call.root);
    });
}

/// The lanes of groups that keep the order of operands.
inline context& ranks_for_lanes(context& ranks, const combination& combiner) {
    return combiner.is_commutative ? ranks : ranks.in_rank_order();
}

template <class Go>
auto start(engine<algorithm::lanes>, const reduce_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<lane_reduction>(), [&](lane_reduction& op) {
        op.start_reduce(ranks_for_lanes(call.ranks, call.combiner), chosen.tree, call.input, call.result,
                        call.combiner, call.root);
    });
}

template <class Go>
auto start(engine<algorithm::lanes>, const all_reduce_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<lane_reduction>(), [&](lane_reduction& op) {
        op.start_all_reduce(ranks_for_lanes(call.ranks, call.combiner), chosen.tree, call.input, call.result,
                            call.combiner);
    });
}

} // namespace topo::detail
