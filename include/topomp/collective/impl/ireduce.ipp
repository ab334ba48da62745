// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/team.hpp>
#include <topomp/algorithm/native/flat_operation.hpp>
#include <topomp/algorithm/rounds/exchange_operations.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/collective/detail/by_engine.hpp>
#include <topomp/collective/detail/in_background.hpp>
#include <topomp/collective/ireduce.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/policy/detail/selection.hpp>

namespace topo::detail {

template <way Only>
request ireduce(const hierarchy& tree, const void* input, const message& result, combination how, int root,
                const selection& wanted) {
    const selection chosen = right_for(wanted, result);
    require_order("topo::ireduce", chosen, how.is_commutative);
    if (chosen.how != way::flat) check_host_memory(tree, "topo::ireduce", {input, result.data});
    team& ranks = team::of(tree);
    const in_background go{tree};
    if constexpr (may_be(Only, way::flat))
        if (chosen.how == way::flat)
            return go(ranks.pool<flat_operation>(), [&](flat_operation& op) {
                op.start_reduce(ranks.wire(), input, result, how.op, root);
            });
    return reduce_by_engine<Only>(ranks, input, result, how, root, chosen, go);
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_ireduce =
    forms_of<verb::reduce, &serves_in_background>([]<way Only> {
        return static_cast<request (*)(const hierarchy&, const void*, const message&, combination, int,
                                       const selection&)>(&ireduce<Only>);
    });
#endif

} // namespace topo::detail
