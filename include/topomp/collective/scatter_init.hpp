// SPDX-License-Identifier: BSL-1.0
/// @file
/// A scatter prepared once and started many times.
#pragma once

#include <topomp/collective/detail/too_few.hpp>
#include <topomp/collective/forms/scatter.hpp>
#include <topomp/collective/persistent.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <utility>

namespace topo {

/// Prepares what `scatter` does: `scatter_init(levels, elements, mine, root[, policy])`, with the arguments
/// of its forms that fill a buffer. Nothing is read or filled before `persistent::start`. Buffers must stay
/// where they are until the result is destroyed; counts and positions are copied.
/// @collective over the whole, also where one `start` is not @cost once what the first call of `scatter`
/// costs besides its messages @throws argument_error as `scatter`
template <class... Arguments>
persistent scatter_init(const hierarchy& levels, Arguments&&... arguments) {
    return detail::scatter_form<detail::when_started>("topo::scatter_init", levels,
                                                      std::forward<Arguments>(arguments)...);
}

/// Without the buffer of the own block it does not compile: the message says where it goes.
template <class... Given>
    requires detail::too_few<3, Given...> persistent scatter_init(const hierarchy&, Given&&...)
TOPOMP_NEEDS_RESULT_AND_ROOT(
    "buffer of the own block",
    "scatter_init(levels, elements, mine, root); elements may be empty on other ranks");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void scatter_init(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/persistent_begin.ipp>
#endif
