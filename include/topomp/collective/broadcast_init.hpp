// SPDX-License-Identifier: BSL-1.0
/// @file
/// A broadcast prepared once and started many times.
#pragma once

#include <topomp/collective/detail/without_root.hpp>
#include <topomp/collective/forms/broadcast.hpp>
#include <topomp/collective/persistent.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <utility>

namespace topo {

/// Prepares what `broadcast` does: `broadcast_init(levels, elements or value or message, root[, policy])`,
/// with the arguments of its forms that fill a buffer. Nothing is read or filled before `persistent::start`.
/// Buffers must stay where they are until the result is destroyed; counts and positions are copied.
/// @collective over the whole, also where one `start` is not @cost once what the first call of `broadcast`
/// costs besides its messages @throws argument_error as `broadcast`
template <class... Arguments>
persistent broadcast_init(const hierarchy& levels, Arguments&&... arguments) {
    return detail::broadcast_form<detail::when_started>("topo::broadcast_init", levels,
                                                        std::forward<Arguments>(arguments)...);
}

/// Without a root it does not compile: the message says where it goes.
template <class... Given>
    requires detail::without_root<1, Given...> persistent broadcast_init(const hierarchy&, Given&&...)
TOPOMP_NEEDS_ROOT("whose data all get", "broadcast_init(levels, data, root)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void broadcast_init(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/persistent_begin.ipp>
#endif
