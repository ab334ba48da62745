// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/team.hpp>
#include <topomp/algorithm/lanes/lane_calls.hpp>
#include <topomp/algorithm/lanes/lane_operations.hpp>
#include <topomp/algorithm/levels/hierarchical_operations.hpp>
#include <topomp/algorithm/native/native.hpp>
#include <topomp/algorithm/rounds/exchange_operations.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/policy/detail/selection.hpp>

namespace topo::detail {

TOPOMP_INLINE void reduce(const hierarchy& tree, const void* input, const message& result, combination how,
                          int root, const selection& chosen) {
    if (chosen.how != way::flat) check_host_memory(tree, "topo::reduce", {input, result.data});
    require_order("topo::reduce", chosen, how.is_commutative);
    team& ranks = team::of(tree);
    switch (chosen.how) {
    case way::flat:
        return flat_reduce(ranks, input, result, how.op, root);
    case way::hierarchical:
        return hierarchical_reduce(ranks, chosen.loop, input, result, how, root);
    case way::tree:
        return run(ranks.pool<reduce_operation>(),
                   [&](reduce_operation& op) { op.start(ranks, chosen.plan, input, result, how, root); });
    case way::lanes:
        return lane_reduce(ranks, chosen.plan, input, result, how, root);
    case way::rabenseifner:
        return run(ranks.pool<reduce_exchange>(),
                   [&](reduce_exchange& op) { op.start(ranks, input, result, how, root, chosen.radix); });
    case way::native_lanes:
        return native_lane_reduce(ranks, input, result, how, root);
    default:
        refuse("topo::reduce");
    }
}

} // namespace topo::detail
