// SPDX-License-Identifier: BSL-1.0
/// @file
/// The same elements to all neighbours, nonblocking.
#pragma once

#include <topomp/neighbour/detail/neighbour_forms.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <utility>

namespace topo {

/// Starts what `neighbour_all_gather` does, with its arguments: `ineighbour_all_gather(where, elements,
/// result)`. Both buffers must stay where they are, the elements unchanged and the result unread, until the
/// request is complete. Progress as for other requests, those on one neighbourhood's ranks standing for a
/// hierarchy's. Local, but for the first time with an MPI communicator. @collective over the communicator of
/// `where`
/// @throws argument_error as `neighbour_all_gather`; `wait` throws it where a block that came with others has
/// another length @see MPI standard, Nonblocking Neighborhood Communication
template <class Where, class... Arguments>
    requires(detail::enough_for_neighbours<2, Where, Arguments...>)
request ineighbour_all_gather(const Where& where, Arguments&&... arguments) {
    return detail::neighbour_all_gather_form<detail::at_once>("topo::ineighbour_all_gather", where,
                                                              std::forward<Arguments>(arguments)...);
}

/// Without neighbours or another argument it does not compile: the message says how it is written.
template <class Where, class... Given>
    requires(!detail::enough_for_neighbours<2, Where, Given...>)
request ineighbour_all_gather(const Where&, const Given&...)
TOPOMP_NEEDS_NEIGHBOURS("ineighbour_all_gather(where, elements, result)");

/// Starts what `neighbour_all_gatherv` does, with its arguments: `ineighbour_all_gatherv(where, elements,
/// result, result_counts)`. Both buffers must stay where they are, the elements unchanged and the result
/// unread, until the request is complete. Progress as for other requests, those on one neighbourhood's ranks
/// standing for a hierarchy's. Local, but for the first time with an MPI communicator. @collective over the
/// communicator of `where`
/// @throws argument_error as `neighbour_all_gatherv`; `wait` throws it where a block that came with others
/// has another length @see MPI standard, Nonblocking Neighborhood Communication
template <class Where, class... Arguments>
    requires(detail::enough_for_neighbours<3, Where, Arguments...>)
request ineighbour_all_gatherv(const Where& where, Arguments&&... arguments) {
    return detail::neighbour_all_gatherv_form<detail::at_once>("topo::ineighbour_all_gatherv", where,
                                                               std::forward<Arguments>(arguments)...);
}

/// Without neighbours or another argument it does not compile: the message says how it is written.
template <class Where, class... Given>
    requires(!detail::enough_for_neighbours<3, Where, Given...>)
request ineighbour_all_gatherv(const Where&, const Given&...)
TOPOMP_NEEDS_NEIGHBOURS("ineighbour_all_gatherv(where, elements, result, result_counts)");

} // namespace topo
