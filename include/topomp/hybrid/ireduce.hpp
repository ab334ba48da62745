// SPDX-License-Identifier: BSL-1.0
/// @file
/// The hybrid reduce, nonblocking.
#pragma once

#include <topomp/collective/detail/too_few.hpp>
#include <topomp/hybrid/forms/reduce.hpp>

#include <utility>

namespace topo::hybrid {

/// Starts what `hybrid::reduce` does: `hybrid::ireduce(levels, elements, window, op, root[, options])`. Until
/// the request is complete, the buffer must stay as it is, and the windows must not be used; after `wait` a
/// rank may read them as after the blocking verb. Local, but for the first time with a window's ranks or a
/// new root.
/// Of `options` only the policy between nodes is used: ranks of a node wait for each other by
/// messages, so that MPI can wait for these and for others, and one rank of each node reduces and sends
/// @collective over the whole @throws argument_error as `hybrid::reduce`
template <class... Arguments>
request ireduce(const hierarchy& levels, Arguments&&... arguments) {
    return detail::hybrid_reduce_form<detail::at_once>("topo::hybrid::ireduce", levels,
                                                       std::forward<Arguments>(arguments)...);
}

/// Without the window of the result it does not compile: the message says where it goes.
template <class... Given>
    requires detail::too_few<4, Given...> request ireduce(const hierarchy&, Given&&...)
TOPOMP_NEEDS_RESULT_AND_ROOT("window of the result", "hybrid::ireduce(levels, elements, window, op, root)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void ireduce(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo::hybrid
