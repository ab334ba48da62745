// SPDX-License-Identifier: BSL-1.0
/// @file
/// The hybrid gather, nonblocking.
#pragma once

#include <topomp/hybrid/forms/gather.hpp>

#include <utility>

namespace topo::hybrid {

/// Starts what `hybrid::gather` does: `hybrid::igather(levels, elements, window, root[, options])`. Until the
/// request is complete, the buffer must stay as it is, and the windows must not be used; after `wait` a rank
/// may read them as after the blocking verb. Local, but for the first time with a window's ranks or a new
/// root.
/// Of `options` only the policy between nodes is used: ranks of a node wait for each other by
/// messages, so that MPI can wait for these and for others, and one rank of each node reduces and sends
/// @collective over the whole @throws argument_error as `hybrid::gather`
template <class... Arguments>
request igather(const hierarchy& levels, Arguments&&... arguments) {
    return detail::hybrid_gather_form<detail::at_once>("topo::hybrid::igather", levels,
                                                       std::forward<Arguments>(arguments)...);
}

/// A communicator in the place of the hierarchy does not compile.
template <class = detail::build_topo_hierarchy_levels_comm_once_and_pass_it>
void igather(detail::no_hierarchy, ...) = delete;

} // namespace topo::hybrid
