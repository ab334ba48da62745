// SPDX-License-Identifier: BSL-1.0
/// @file
/// The hybrid all_gatherv, nonblocking.
#pragma once

#include <topomp/hybrid/forms/all_gather.hpp>

#include <utility>

namespace topo::hybrid {

/// Starts what `hybrid::all_gatherv` does: `hybrid::iall_gatherv(levels[, elements], window, counts[,
/// options])`. Until the request is complete, the buffer must stay as it is, and the windows must not be
/// used; after `wait` a rank may read them as after the blocking verb. Local, but for the first time with a
/// window's ranks or a new root.
/// Of `options` only the policy between nodes is used: ranks of a node wait for each other by
/// messages, so that MPI can wait for these and for others, and one rank of each node reduces and sends
/// @collective over the whole @throws argument_error as `hybrid::all_gatherv`
template <class... Arguments>
request iall_gatherv(const hierarchy& levels, Arguments&&... arguments) {
    return detail::hybrid_all_gatherv_form<detail::at_once>("topo::hybrid::iall_gatherv", levels,
                                                            std::forward<Arguments>(arguments)...);
}

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void iall_gatherv(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo::hybrid
