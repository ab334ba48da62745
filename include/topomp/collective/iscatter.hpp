// SPDX-License-Identifier: BSL-1.0
/// @file
/// A scatter, nonblocking.
#pragma once

#include <topomp/collective/detail/too_few.hpp>
#include <topomp/collective/forms/scatter.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <utility>

namespace topo {

/// Starts what `scatter` does: `iscatter(levels, elements, mine, root[, policy])`, with the arguments of its
/// forms that fill a buffer. Buffers must stay where they are, those that are read unchanged and those that
/// are filled unread, until the request is complete; counts and positions are copied.
///
/// Local, except for the first collective of a hierarchy, and the first with a policy that is neither `flat`
/// nor `automatic`, or with a new root. @collective over the whole @cost as `scatter`
/// @throws argument_error as `scatter`
template <class... Arguments>
request iscatter(const hierarchy& levels, Arguments&&... arguments) {
    return detail::scatter_form<detail::at_once>("topo::iscatter", levels,
                                                 std::forward<Arguments>(arguments)...);
}

/// Without the buffer of the own block it does not compile: the message says where it goes.
template <class... Given>
    requires detail::too_few<3, Given...> request iscatter(const hierarchy&, Given&&...)
TOPOMP_NEEDS_RESULT_AND_ROOT("buffer of the own block",
                             "iscatter(levels, elements, mine, root); elements may be empty on other ranks");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void iscatter(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo
