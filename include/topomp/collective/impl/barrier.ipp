// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/dissemination_operation.hpp>
#include <topomp/algorithm/exchange_operations.hpp>
#include <topomp/algorithm/looped_operations.hpp>
#include <topomp/algorithm/native.hpp>
#include <topomp/algorithm/run.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/algorithm/tree_operations.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/core/inline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

namespace topo::detail {

/// The engines that also go on in the background. @param go `to_the_end` or `in_background`
template <class Go>
auto barrier_by_engine(team& ranks, const selection& chosen, Go go) {
    switch (chosen.how) {
    case way::tree:
        return go(ranks.pool<all_reduce_operation>(),
                  [&](all_reduce_operation& op) { op.start_barrier(ranks, chosen.plan); });
    case way::recursive_doubling:
        return go(ranks.pool<all_reduce_exchange>(),
                  [&](all_reduce_exchange& op) { op.start_barrier(ranks, chosen.radix); });
    case way::dissemination:
        return go(ranks.pool<dissemination_operation>(),
                  [&](dissemination_operation& op) { op.start(ranks); });
    default:
        refuse("topo::barrier");
    }
}

TOPOMP_INLINE void barrier(const hierarchy& tree, const selection& chosen) {
    team& ranks = team::of(tree);
    if (chosen.how == way::flat) return flat_barrier(ranks.wire());
    if (chosen.how == way::looped) return looped_barrier(ranks, chosen.loop);
    barrier_by_engine(ranks, chosen, to_the_end{});
}

} // namespace topo::detail
