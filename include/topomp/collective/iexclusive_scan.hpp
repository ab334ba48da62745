// SPDX-License-Identifier: BSL-1.0
/// @file
/// An exclusive scan, nonblocking.
#pragma once

#include <topomp/collective/detail/too_few.hpp>
#include <topomp/collective/forms/scan.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <utility>

namespace topo {

/// Starts what `exclusive_scan` does: `iexclusive_scan(levels, elements, result, op[, policy])`, with the
/// arguments of its forms that fill a buffer. Buffers must stay where they are, those that are read unchanged
/// and those that are filled unread, until the request is complete; counts and positions are copied.
///
/// Local, except for the first collective of a hierarchy, and the first call with each policy but `flat`, in
/// which the ranks exchange their places. @collective over the whole @cost as `exclusive_scan`
/// @throws argument_error as `exclusive_scan`
template <class... Arguments>
request iexclusive_scan(const hierarchy& levels, Arguments&&... arguments) {
    return detail::scan_form<detail::scan_kind::exclusive, detail::at_once>(
        "topo::iexclusive_scan", levels, std::forward<Arguments>(arguments)...);
}

/// Without the buffer of the result it does not compile: the message says where it goes.
template <class... Given>
    requires detail::too_few<3, Given...> request iexclusive_scan(const hierarchy&, Given&&...)
TOPOMP_NEEDS_RESULT("buffer of the result", "iexclusive_scan(levels, elements, result, op)");

/// A communicator in the place of the hierarchy does not compile.
template <class = void>
void iexclusive_scan(detail::no_hierarchy, ...) TOPOMP_NEEDS_HIERARCHY;

} // namespace topo
