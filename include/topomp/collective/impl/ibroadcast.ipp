// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/exchange_operations.hpp>
#include <topomp/algorithm/flat_operation.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/algorithm/tree_operations.hpp>
#include <topomp/collective/ibroadcast.hpp>
#include <topomp/collective/in_background.hpp>
#include <topomp/core/inline.hpp>

namespace topo::detail {

/// @param go begins an engine @pre the policy serves broadcasts in the background
template <class Go>
auto broadcast_by_engine(team& ranks, const message& what, int root, const selection& chosen, Go&& go) {
    if (chosen.how == way::recursive_doubling)
        return go(ranks.pool<broadcast_exchange>(),
                  [&](broadcast_exchange& op) { op.start(ranks, what, root, chosen.radix); });
    return go(ranks.pool<broadcast_operation>(),
              [&](broadcast_operation& op) { op.start_at_once(ranks, chosen.plan, what, root); });
}

TOPOMP_INLINE request ibroadcast(const hierarchy& tree, const message& what, int root,
                                 const selection& chosen) {
    if (chosen.how != way::flat) check_host_memory(tree, "topo::ibroadcast", {what.data});
    team& ranks = team::of(tree);
    const in_background go{tree};
    if (chosen.how == way::flat)
        return go(ranks.pool<flat_operation>(),
                  [&](flat_operation& op) { op.start_broadcast(ranks.wire(), what, root); });
    return broadcast_by_engine(ranks, what, root, chosen, go);
}

} // namespace topo::detail
