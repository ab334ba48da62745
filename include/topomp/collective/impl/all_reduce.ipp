// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/exchange_operations.hpp>
#include <topomp/algorithm/lane_calls.hpp>
#include <topomp/algorithm/lane_operations.hpp>
#include <topomp/algorithm/looped_operations.hpp>
#include <topomp/algorithm/native.hpp>
#include <topomp/algorithm/run.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/algorithm/tree_operations.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/core/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/policy/selection.hpp>

#include <boost/mpi/inplace.hpp>

#include <cstddef>

namespace topo::detail {

/// The engines that also go on in the background. @param go `to_the_end` or `in_background`
template <class Go>
auto all_reduce_by_engine(team& ranks, const void* input, const message& result, combination how,
                          const selection& chosen, Go go) {
    switch (chosen.how) {
    case way::tree:
        return go(ranks.pool<all_reduce_operation>(),
                  [&](all_reduce_operation& op) { op.start(ranks, chosen.plan, input, result, how); });
    case way::recursive_doubling:
        return go(ranks.pool<all_reduce_exchange>(), [&](all_reduce_exchange& op) {
            op.start_multiplying(ranks, input, result, how, chosen.radix);
        });
    case way::rabenseifner:
        return go(ranks.pool<all_reduce_exchange>(), [&](all_reduce_exchange& op) {
            op.start_splitting(ranks, input, result, how, chosen.radix, chosen.whole_bytes);
        });
    case way::ring:
        return go(ranks.pool<all_reduce_exchange>(),
                  [&](all_reduce_exchange& op) { op.start_ring(ranks, input, result, how); });
    default:
        refuse("topo::all_reduce");
    }
}

TOPOMP_INLINE void all_reduce(const hierarchy& tree, const void* input, const message& result,
                              combination how, const selection& chosen) {
    if (chosen.how != way::flat) check_host_memory(tree, "topo::all_reduce", {input, result.data});
    require_order("topo::all_reduce", chosen, how.is_commutative);
    team& ranks = team::of(tree);
    switch (chosen.how) {
    case way::flat:
        return flat_all_reduce(ranks.wire(), input, result, how.op);
    case way::looped:
        return looped_all_reduce(ranks, chosen.loop, input, result, how);
    case way::lanes:
        return lane_all_reduce(ranks, chosen.plan, input, result, how);
    case way::native_lanes:
        return native_lane_all_reduce(ranks, input, result, how);
    default:
        return all_reduce_by_engine(ranks, input, result, how, chosen, to_the_end{});
    }
}

} // namespace topo::detail
