// SPDX-License-Identifier: BSL-1.0
/// @file
/// A reduction in blocks, nonblocking.
#pragma once

#include <topomp/collective/detail/too_few.hpp>
#include <topomp/collective/forms/reduce_scatter.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <utility>

namespace topo {

/// Starts what `reduce_scatter` does: `ireduce_scatter(levels, elements[, counts], result, op[, policy])`,
/// with the arguments of its forms that fill a buffer. Buffers must stay where they are, those that are read
/// unchanged and those that are filled unread, until the request is complete; counts and positions are
/// copied.
///
/// Local, except for the first collective of a hierarchy, and the first call with each policy but `flat`, in
/// which the ranks exchange their places. @collective over the whole @cost as `reduce_scatter`
/// @throws argument_error as `reduce_scatter`
template <class... Arguments>
request ireduce_scatter(const hierarchy& levels, Arguments&&... arguments) {
    return detail::reduce_scatter_form<detail::at_once>("topo::ireduce_scatter", levels,
                                                        std::forward<Arguments>(arguments)...);
}

/// Without the buffer of the result it does not compile: the message says where it goes.
template <class... Given>
    requires detail::too_few<3, Given...> request ireduce_scatter(const hierarchy&, Given&&...)
TOPOMP_NEEDS_RESULT("buffer of the result", "ireduce_scatter(levels, elements, result, op)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void ireduce_scatter(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo
