// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/team.hpp>
#include <topomp/algorithm/lanes/lane_calls.hpp>
#include <topomp/algorithm/lanes/lane_operations.hpp>
#include <topomp/algorithm/levels/hierarchical_operations.hpp>
#include <topomp/algorithm/native/native.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/rounds/exchange_operations.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/detail/by_engine.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/policy/detail/selection.hpp>

#include <boost/mpi/inplace.hpp>

#include <cstddef>

namespace topo::detail {

template <way Only>
void all_reduce(const hierarchy& tree, const void* input, const message& result, combination how,
                const selection& chosen) {
    if (chosen.how != way::flat) check_host_memory(tree, "topo::all_reduce", {input, result.data});
    require_order("topo::all_reduce", chosen, how.is_commutative);
    team& ranks = team::of(tree);
    if constexpr (may_be(Only, way::flat))
        if (chosen.how == way::flat) return flat_all_reduce(ranks.wire(), input, result, how.op);
    if constexpr (may_be(Only, way::hierarchical))
        if (chosen.how == way::hierarchical)
            return hierarchical_all_reduce(ranks, chosen.loop, input, result, how);
    if constexpr (may_be(Only, way::lanes))
        if (chosen.how == way::lanes) return lane_all_reduce(ranks, chosen.plan, input, result, how);
    if constexpr (may_be(Only, way::native_lanes))
        if (chosen.how == way::native_lanes) return native_lane_all_reduce(ranks, input, result, how);
    return all_reduce_by_engine<Only>(ranks, input, result, how, chosen, to_the_end{});
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_all_reduce = forms_of<verb::all_reduce>([]<way Only> {
    return static_cast<void (*)(const hierarchy&, const void*, const message&, combination,
                                const selection&)>(&all_reduce<Only>);
});
#endif

} // namespace topo::detail
