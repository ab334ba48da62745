// SPDX-License-Identifier: BSL-1.0
/// @file
/// The hybrid broadcast, prepared once and started many times.
#pragma once

#include <topomp/collective/detail/without_root.hpp>
#include <topomp/hybrid/forms/broadcast.hpp>

#include <utility>

namespace topo::hybrid {

/// Prepares what `hybrid::broadcast` does: `hybrid::broadcast_init(levels[, elements], window, root[,
/// options])`. Nothing is read or filled before `persistent::start`. The buffer and the windows must live
/// until the result is destroyed.
/// Of `options` only the policy between nodes is used: ranks of a node wait for each other by
/// messages, so that MPI can wait for these and for others, and one rank of each node reduces and sends
/// @collective over the whole @throws argument_error as `hybrid::broadcast`
template <class... Arguments>
persistent broadcast_init(const hierarchy& levels, Arguments&&... arguments) {
    return detail::hybrid_broadcast_form<detail::when_started>("topo::hybrid::broadcast_init", levels,
                                                               std::forward<Arguments>(arguments)...);
}

/// Without a root it does not compile: the message says where it goes.
template <class... Given>
    requires detail::without_root<1, Given...> persistent broadcast_init(const hierarchy&, Given&&...)
TOPOMP_NEEDS_ROOT(
    "whose data all get",
    "hybrid::broadcast_init(levels, elements, window, root) or hybrid::broadcast_init(levels, window, root)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void broadcast_init(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo::hybrid
