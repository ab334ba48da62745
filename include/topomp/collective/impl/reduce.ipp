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

template <way Only>
void reduce(const hierarchy& tree, const void* input, const message& result, combination how, int root,
            const selection& chosen) {
    if (chosen.how != way::flat) check_host_memory(tree, "topo::reduce", {input, result.data});
    require_order("topo::reduce", chosen, how.is_commutative);
    team& ranks = team::of(tree);
    if constexpr (may_be(Only, way::flat))
        if (chosen.how == way::flat) return flat_reduce(ranks, input, result, how.op, root);
    if constexpr (may_be(Only, way::hierarchical))
        if (chosen.how == way::hierarchical)
            return hierarchical_reduce(ranks, chosen.loop, input, result, how, root);
    if constexpr (may_be(Only, way::tree))
        if (chosen.how == way::tree)
            return run(ranks.pool<reduce_operation>(),
                       [&](reduce_operation& op) { op.start(ranks, chosen.plan, input, result, how, root); });
    if constexpr (may_be(Only, way::lanes))
        if (chosen.how == way::lanes) return lane_reduce(ranks, chosen.plan, input, result, how, root);
    if constexpr (may_be(Only, way::rabenseifner))
        if (chosen.how == way::rabenseifner)
            return run(ranks.pool<reduce_exchange>(),
                       [&](reduce_exchange& op) { op.start(ranks, input, result, how, root, chosen.radix); });
    if constexpr (may_be(Only, way::native_lanes))
        if (chosen.how == way::native_lanes) return native_lane_reduce(ranks, input, result, how, root);
    refuse("topo::reduce");
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_reduce = forms_of<verb::reduce>([]<way Only> {
    return static_cast<void (*)(const hierarchy&, const void*, const message&, combination, int,
                                const selection&)>(&reduce<Only>);
});
#endif

} // namespace topo::detail
