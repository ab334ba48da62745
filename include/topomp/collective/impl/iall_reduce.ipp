// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/team.hpp>
#include <topomp/algorithm/native/flat_operation.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/detail/by_engine.hpp>
#include <topomp/collective/detail/in_background.hpp>
#include <topomp/collective/iall_reduce.hpp>
#include <topomp/collective/impl/all_reduce.ipp>
#include <topomp/collective/request.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/policy/detail/selection.hpp>

#include <cstddef>

namespace topo::detail {

template <way Only>
request iall_reduce(const hierarchy& tree, const void* input, const message& result, combination how,
                    const selection& wanted) {
    const selection chosen = right_for(wanted, result);
    require_order("topo::iall_reduce", chosen, how.is_commutative);
    if (chosen.how != way::flat) check_host_memory(tree, "topo::iall_reduce", {input, result.data});
    team& ranks = team::of(tree);
    const in_background go{tree};
    if constexpr (may_be(Only, way::flat))
        if (chosen.how == way::flat)
            return go(ranks.pool<flat_operation>(),
                      [&](flat_operation& op) { op.start_all_reduce(ranks.wire(), input, result, how.op); });
    return all_reduce_by_engine<Only>(ranks, input, result, how, chosen, go);
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_iall_reduce =
    forms_of<verb::all_reduce, &serves_in_background>([]<way Only> {
        return static_cast<request (*)(const hierarchy&, const void*, const message&, combination,
                                       const selection&)>(&iall_reduce<Only>);
    });
#endif

} // namespace topo::detail
