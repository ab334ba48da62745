// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/exchange_operations.hpp>
#include <topomp/algorithm/flat_operation.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/algorithm/tree_operations.hpp>
#include <topomp/collective/in_background.hpp>
#include <topomp/collective/ireduce.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/policy/selection.hpp>

namespace topo::detail {

/// @param go begins an engine @pre the policy serves reductions in the background
template <class Go>
auto reduce_by_engine(team& ranks, const void* input, const message& result, combination how, int root,
                      const selection& chosen, Go&& go) {
    if (chosen.how == way::rabenseifner)
        return go(ranks.pool<reduce_exchange>(),
                  [&](reduce_exchange& op) { op.start(ranks, input, result, how, root, chosen.radix); });
    return go(ranks.pool<reduce_operation>(),
              [&](reduce_operation& op) { op.start_at_once(ranks, chosen.plan, input, result, how, root); });
}

TOPOMP_INLINE request ireduce(const hierarchy& tree, const void* input, const message& result,
                              combination how, int root, const selection& wanted) {
    const selection chosen = right_for(wanted, result);
    require_order("topo::ireduce", chosen, how.is_commutative);
    if (chosen.how != way::flat) check_host_memory(tree, "topo::ireduce", {input, result.data});
    team& ranks = team::of(tree);
    const in_background go{tree};
    if (chosen.how == way::flat)
        return go(ranks.pool<flat_operation>(),
                  [&](flat_operation& op) { op.start_reduce(ranks.wire(), input, result, how.op, root); });
    return reduce_by_engine(ranks, input, result, how, root, chosen, go);
}

} // namespace topo::detail
