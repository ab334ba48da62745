// SPDX-License-Identifier: BSL-1.0
/// @file
/// An exchange of blocks of different lengths, nonblocking.
#pragma once

#include <topomp/collective/detail/too_few.hpp>
#include <topomp/collective/forms/all_to_all.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <utility>

namespace topo {

/// Starts what `all_to_allv` does: `iall_to_allv(levels, elements, counts[, positions], result,
/// result_counts[, result_positions][, policy])`, with the arguments of its forms that fill a buffer. Buffers
/// must stay where they are, those that are read unchanged and those that are filled unread, until the
/// request is complete; counts and positions are copied.
///
/// Local, except for the first collective of a hierarchy, and the first with a policy that is neither `flat`
/// nor `automatic`. @collective over the whole @cost as `all_to_allv`
/// @throws argument_error as `all_to_allv`
template <class... Arguments>
request iall_to_allv(const hierarchy& levels, Arguments&&... arguments) {
    return detail::all_to_allv_form<detail::at_once>("topo::iall_to_allv", levels,
                                                     std::forward<Arguments>(arguments)...);
}

/// Without the buffer of the result it does not compile: the message says where it goes.
template <class... Given>
    requires detail::too_few<4, Given...> request iall_to_allv(const hierarchy&, Given&&...)
TOPOMP_NEEDS_RESULT("buffer of the result", "iall_to_allv(levels, elements, counts, result, result_counts)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void iall_to_allv(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo
