// SPDX-License-Identifier: BSL-1.0
/// @file
/// Nobody goes on before all have come.
#pragma once

#include <topomp/algorithm/dissemination_operation.hpp>
#include <topomp/algorithm/exchange_operations.hpp>
#include <topomp/algorithm/run.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/algorithm/tree_operations.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/policy/selection.hpp>

namespace topo {

namespace detail {

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

void barrier(const hierarchy& tree, const selection& chosen);

} // namespace detail

/// Returns on a rank when every rank has called it.
/// @tparam Policy `automatic`, a shape, `per_level`, `dissemination`, `recursive_multiplying`,
/// `looped`, `native` or `flat`
/// @collective over the whole @cost of a tree of depth D: 2 D empty messages on the longest path;
/// of dissemination: ceil(log2 p) messages of every rank
/// @see MPI standard, Barrier Synchronization
template <policy Policy = automatic>
void barrier(const hierarchy& tree, Policy = {}) {
    detail::barrier(tree, detail::select<detail::verb::barrier, Policy>(tree, 0));
}

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/barrier.ipp>
#endif
