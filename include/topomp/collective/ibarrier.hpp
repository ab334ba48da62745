// SPDX-License-Identifier: BSL-1.0
/// @file
/// A barrier that the caller need not wait in.
#pragma once

#include <topomp/algorithm/flat_operation.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/policy/selection.hpp>

namespace topo {

/// Starts a barrier: its request is complete on a rank when every rank has called this.
///
/// Local, except for the first collective of a hierarchy. @tparam Policy `automatic`, a shape, `per_level`,
/// `dissemination`,
/// `recursive_multiplying` or `flat`
/// @collective over the whole @cost as `barrier` @see MPI standard, Nonblocking Barrier Synchronization
template <policy Policy = automatic>
request ibarrier(const hierarchy& tree, Policy = {}) {
    const auto chosen = detail::select_in_background<detail::verb::barrier, Policy>(
        tree, 0, true, {.call = "topo::ibarrier"});
    detail::team& ranks = detail::team::of(tree);
    const detail::in_background go{tree};
    if (chosen.how == detail::way::flat)
        return go(ranks.pool<detail::flat_operation>(),
                  [&](detail::flat_operation& op) { op.start_barrier(ranks.wire()); });
    return detail::barrier_by_engine(ranks, chosen, go);
}

} // namespace topo
