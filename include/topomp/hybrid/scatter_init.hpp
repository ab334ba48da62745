// SPDX-License-Identifier: BSL-1.0
/// @file
/// The hybrid scatter, prepared once and started many times.
#pragma once

#include <topomp/collective/detail/too_few.hpp>
#include <topomp/hybrid/forms/gather.hpp>

#include <utility>

namespace topo::hybrid {

/// Prepares what `hybrid::scatter` does: `hybrid::scatter_init(levels, window, mine, root[, options])`.
/// Nothing is read or filled before `persistent::start`. The buffer and the windows must live until the
/// result is destroyed.
/// Of `options` only the policy between nodes is used: ranks of a node wait for each other by
/// messages, so that MPI can wait for these and for others, and one rank of each node reduces and sends
/// @collective over the whole @throws argument_error as `hybrid::scatter`
template <class... Arguments>
persistent scatter_init(const hierarchy& levels, Arguments&&... arguments) {
    return detail::hybrid_scatter_form<detail::when_started>("topo::hybrid::scatter_init", levels,
                                                             std::forward<Arguments>(arguments)...);
}

/// Without the buffer of the own block it does not compile: the message says where it goes.
template <class... Given>
    requires detail::too_few<3, Given...> persistent scatter_init(const hierarchy&, Given&&...)
TOPOMP_NEEDS_RESULT_AND_ROOT("buffer of the own block", "hybrid::scatter_init(levels, window, mine, root)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void scatter_init(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo::hybrid
