// SPDX-License-Identifier: BSL-1.0
/// @file
/// The hybrid broadcast, nonblocking.
#pragma once

#include <topomp/collective/detail/without_root.hpp>
#include <topomp/hybrid/forms/broadcast.hpp>

#include <utility>

namespace topo::hybrid {

/// Starts what `hybrid::broadcast` does: `hybrid::ibroadcast(levels[, elements], window, root[, options])`.
/// Until the request is complete, the buffer must stay as it is, and the windows must not be used; after
/// `wait` a rank may read them as after the blocking verb. Local, but for the first time with a window's
/// ranks or a new root.
/// Of `options` only the policy between nodes is used: ranks of a node wait for each other by
/// messages, so that MPI can wait for these and for others, and one rank of each node reduces and sends
/// @collective over the whole @throws argument_error as `hybrid::broadcast`
template <class... Arguments>
request ibroadcast(const hierarchy& levels, Arguments&&... arguments) {
    return detail::hybrid_broadcast_form<detail::at_once>("topo::hybrid::ibroadcast", levels,
                                                          std::forward<Arguments>(arguments)...);
}

/// Without a root it does not compile: the message says where it goes.
template <class... Given>
    requires detail::without_root<1, Given...> request ibroadcast(const hierarchy&, Given&&...)
TOPOMP_NEEDS_ROOT(
    "whose data all get",
    "hybrid::ibroadcast(levels, elements, window, root) or hybrid::ibroadcast(levels, window, root)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void ibroadcast(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo::hybrid
