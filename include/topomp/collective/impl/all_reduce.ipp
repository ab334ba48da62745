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

TOPOMP_INLINE void all_reduce(const hierarchy& tree, const void* input, const message& result,
                              combination how, const selection& chosen) {
    if (chosen.how != way::flat) check_host_memory(tree, "topo::all_reduce", {input, result.data});
    require_order("topo::all_reduce", chosen, how.is_commutative);
    team& ranks = team::of(tree);
    switch (chosen.how) {
    case way::flat:
        return flat_all_reduce(ranks.wire(), input, result, how.op);
    case way::hierarchical:
        return hierarchical_all_reduce(ranks, chosen.loop, input, result, how);
    case way::lanes:
        return lane_all_reduce(ranks, chosen.plan, input, result, how);
    case way::native_lanes:
        return native_lane_all_reduce(ranks, input, result, how);
    default:
        return all_reduce_by_engine(ranks, input, result, how, chosen, to_the_end{});
    }
}

} // namespace topo::detail
