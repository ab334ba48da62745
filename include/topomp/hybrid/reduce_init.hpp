// SPDX-License-Identifier: BSL-1.0
/// @file
/// The hybrid reduce, prepared once and started many times.
#pragma once

#include <topomp/collective/detail/too_few.hpp>
#include <topomp/hybrid/forms/reduce.hpp>

#include <utility>

namespace topo::hybrid {

/// Prepares what `hybrid::reduce` does: `hybrid::reduce_init(levels, elements, window, op, root[, options])`.
/// Nothing is read or filled before `persistent::start`. The buffer and the windows must live until the
/// result is destroyed.
/// Of `options` only the policy between nodes is used: ranks of a node wait for each other by
/// messages, so that MPI can wait for these and for others, and one rank of each node reduces and sends
/// @collective over the whole @throws argument_error as `hybrid::reduce`
template <class... Arguments>
persistent reduce_init(const hierarchy& levels, Arguments&&... arguments) {
    return detail::hybrid_reduce_form<detail::when_started>("topo::hybrid::reduce_init", levels,
                                                            std::forward<Arguments>(arguments)...);
}

/// Without the window of the result it does not compile: the message says where it goes.
template <class... Given>
    requires detail::too_few<4, Given...> persistent reduce_init(const hierarchy&, Given&&...)
TOPOMP_NEEDS_RESULT_AND_ROOT("window of the result",
                             "hybrid::reduce_init(levels, elements, window, op, root)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void reduce_init(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo::hybrid
