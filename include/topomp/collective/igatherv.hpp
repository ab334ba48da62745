// SPDX-License-Identifier: BSL-1.0
/// @file
/// A gather of blocks of different lengths, nonblocking.
#pragma once

#include <topomp/collective/forms/gather.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <utility>

namespace topo {

/// Starts what `gatherv` does: `igatherv(levels, elements, result, counts[, positions], root[, policy])`,
/// with the arguments of its forms that fill a buffer. Buffers must stay where they are, those that are read
/// unchanged and those that are filled unread, until the request is complete; counts and positions are
/// copied.
///
/// Local, except for the first collective of a hierarchy, and the first with a policy that is neither `flat`
/// nor `automatic`, or with a new root. @collective over the whole @cost as `gatherv`
/// @throws argument_error as `gatherv`
template <class... Arguments>
request igatherv(const hierarchy& levels, Arguments&&... arguments) {
    return detail::gatherv_form<detail::at_once>("topo::igatherv", levels,
                                                 std::forward<Arguments>(arguments)...);
}

/// A communicator in the place of the hierarchy does not compile.
template <class = detail::build_topo_hierarchy_levels_comm_once_and_pass_it>
void igatherv(detail::no_hierarchy, ...) = delete;

} // namespace topo
