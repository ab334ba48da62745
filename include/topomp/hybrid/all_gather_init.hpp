// SPDX-License-Identifier: BSL-1.0
/// @file
/// The hybrid all_gather, prepared once and started many times.
#pragma once

#include <topomp/hybrid/forms/all_gather.hpp>

#include <utility>

namespace topo::hybrid {

/// Prepares what `hybrid::all_gather` does: `hybrid::all_gather_init(levels[, elements], window[, options])`.
/// Nothing is read or filled before `persistent::start`. The buffer and the windows must live until the
/// result is destroyed.
/// Of `options` only the policy between nodes is used: ranks of a node wait for each other by
/// messages, so that MPI can wait for these and for others, and one rank of each node reduces and sends
/// @collective over the whole @throws argument_error as `hybrid::all_gather`
template <class... Arguments>
persistent all_gather_init(const hierarchy& levels, Arguments&&... arguments) {
    return detail::hybrid_all_gather_form<detail::when_started>("topo::hybrid::all_gather_init", levels,
                                                                std::forward<Arguments>(arguments)...);
}

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void all_gather_init(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo::hybrid
