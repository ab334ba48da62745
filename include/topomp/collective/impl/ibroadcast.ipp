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

template <way Only>
request ibroadcast(const hierarchy& tree, const message& what, int root, const selection& chosen) {
    if (chosen.how != way::flat) check_host_memory(tree, "topo::ibroadcast", {what.data});
    team& ranks = team::of(tree);
    const in_background go{tree};
    if constexpr (may_be(Only, way::flat))
        if (chosen.how == way::flat)
            return go(ranks.pool<flat_operation>(),
                      [&](flat_operation& op) { op.start_broadcast(ranks.wire(), what, root); });
    return broadcast_by_engine<Only>(ranks, what, root, chosen, go);
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_ibroadcast =
    forms_of<verb::broadcast, &serves_in_background>([]<way Only> {
        return static_cast<request (*)(const hierarchy&, const message&, int, const selection&)>(
            &ibroadcast<Only>);
    });
#endif

} // namespace topo::detail
