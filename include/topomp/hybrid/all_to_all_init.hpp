// SPDX-License-Identifier: BSL-1.0
/// @file
/// The hybrid all_to_all, prepared once and started many times.
#pragma once

#include <topomp/collective/detail/too_few.hpp>
#include <topomp/hybrid/forms/all_to_all.hpp>

#include <utility>

namespace topo::hybrid {

/// Prepares what `hybrid::all_to_all` does: `hybrid::all_to_all_init(levels, source, result[, options])`.
/// Nothing is read or filled before `persistent::start`. The buffer and the windows must live until the
/// result is destroyed.
/// Of `options` only the policy between nodes is used: ranks of a node wait for each other by
/// messages, so that MPI can wait for these and for others, and one rank of each node reduces and sends
/// @collective over the whole @throws argument_error as `hybrid::all_to_all`
template <class... Arguments>
persistent all_to_all_init(const hierarchy& levels, Arguments&&... arguments) {
    return detail::hybrid_all_to_all_form<detail::when_started>("topo::hybrid::all_to_all_init", levels,
                                                                std::forward<Arguments>(arguments)...);
}

/// Without the window of the result it does not compile: the message says where it goes.
template <class... Given>
    requires detail::too_few<2, Given...> persistent all_to_all_init(const hierarchy&, Given&&...)
TOPOMP_NEEDS_RESULT("window of the result", "hybrid::all_to_all_init(levels, source, result)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void all_to_all_init(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo::hybrid
