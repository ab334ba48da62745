// SPDX-License-Identifier: BSL-1.0
/// @file
/// A gather of blocks of different lengths on all ranks, nonblocking.
#pragma once

#include <topomp/collective/detail/too_few.hpp>
#include <topomp/collective/forms/all_gather.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <utility>

namespace topo {

/// Starts what `all_gatherv` does: `iall_gatherv(levels, elements, result, counts[, positions][, policy])`,
/// with the arguments of its forms that fill a buffer. Buffers must stay where they are, those that are read
/// unchanged and those that are filled unread, until the request is complete; counts and positions are
/// copied.
///
/// Local, except for the first collective of a hierarchy, and the first call with each policy but `flat`, in
/// which the ranks exchange their places. @collective over the whole @cost as `all_gatherv`
/// @throws argument_error as `all_gatherv`
template <class... Arguments>
request iall_gatherv(const hierarchy& levels, Arguments&&... arguments) {
    return detail::all_gatherv_form<detail::at_once>("topo::iall_gatherv", levels,
                                                     std::forward<Arguments>(arguments)...);
}

/// Without the buffer of the result it does not compile: the message says where it goes.
template <class... Given>
    requires detail::too_few<3, Given...> request iall_gatherv(const hierarchy&, Given&&...)
TOPOMP_NEEDS_RESULT("buffer of the result", "iall_gatherv(levels, elements, result, counts)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void iall_gatherv(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo
