// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `lanes`: all_gather, reduce_scatter.
#pragma once

#include <topomp/algorithm/lanes/lane_gather.hpp>
#include <topomp/algorithm/lanes/lane_order.hpp>
#include <topomp/algorithm/lanes/lane_reduce_scatter.hpp>
#include <topomp/algorithm/rounds/all_gather_operations.hpp>
#include <topomp/algorithm/rounds/reduce_scatter_operation.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

/// Around a ring where there are not enough tags for the lanes of all nodes.
template <class Go>
auto start(engine<algorithm::lanes>, const all_gather_call& call, const plan& chosen, Go go) {
    if (!call.ranks.template attached<lane_orders>().has_tags())
        return go(call.ranks.template pool<all_gather_ring>(),
                  [&](all_gather_ring& op) { op.start(call.ranks, call.ranks.order(), call.result); });
    return go(call.ranks.template pool<all_gather_lanes>(),
              [&](all_gather_lanes& op) { op.start(call.ranks, chosen.tree, call.result); });
}

/// Along a tree there.
template <class Go>
auto start(engine<algorithm::lanes>, const reduce_scatter_call& call, const plan& chosen, Go go) {
    if (!call.ranks.template attached<lane_orders>().has_tags())
        return go(call.ranks.template pool<reduce_scatter_tree>(), [&](reduce_scatter_tree& op) {
            op.start(call.ranks, chosen.tree, call.input, call.elements, call.mine, call.combiner);
        });
    return go(call.ranks.template pool<reduce_scatter_lanes>(), [&](reduce_scatter_lanes& op) {
        op.start(call.ranks, chosen.tree, call.input, call.mine, call.combiner);
    });
}

} // namespace topo::detail
