// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/team.hpp>
#include <topomp/algorithm/native/flat_operation.hpp>
#include <topomp/algorithm/rounds/exchange_operations.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/collective/detail/by_engine.hpp>
#include <topomp/collective/detail/in_background.hpp>
#include <topomp/collective/ibroadcast.hpp>
#include <topomp/core/detail/inline.hpp>

namespace topo::detail {

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
