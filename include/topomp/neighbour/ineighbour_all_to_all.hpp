// SPDX-License-Identifier: BSL-1.0
/// @file
/// Exchanges with neighbours, nonblocking.
#pragma once

#include <topomp/neighbour/detail/neighbour_forms.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <utility>

namespace topo {

/// Starts what `neighbour_all_to_all` does, with its arguments: `ineighbour_all_to_all(where, elements,
/// result)`. Both buffers must stay where they are, the elements unchanged and the result unread, until the
/// request is complete. Progress as for other requests, those on one neighbourhood's ranks standing for a
/// hierarchy's. Local, but for the first time with an MPI communicator. @collective over the communicator of
/// `where`
/// @throws argument_error as `neighbour_all_to_all`; `wait` throws it where a block that came with others has
/// another length @see MPI standard, Nonblocking Neighborhood Communication
template <class Where, class... Arguments>
    requires(detail::enough_for_neighbours<2, Where, Arguments...>)
request ineighbour_all_to_all(const Where& where, Arguments&&... arguments) {
    return detail::neighbour_all_to_all_form<detail::at_once>("topo::ineighbour_all_to_all", where,
                                                              std::forward<Arguments>(arguments)...);
}

/// Without neighbours or another argument it does not compile: the message says how it is written.
template <class Where, class... Given>
    requires(!detail::enough_for_neighbours<2, Where, Given...>)
request ineighbour_all_to_all(const Where&, const Given&...)
TOPOMP_NEEDS_NEIGHBOURS("ineighbour_all_to_all(where, elements, result)");

/// Starts what `neighbour_all_to_allv` does, with its arguments: `ineighbour_all_to_allv(where, elements,
/// counts, result, result_counts)`. Both buffers must stay where they are, the elements unchanged and the
/// result unread, until the request is complete. Progress as for other requests, those on one neighbourhood's
/// ranks standing for a hierarchy's. Local, but for the first time with an MPI communicator. @collective over
/// the communicator of `where`
/// @throws argument_error as `neighbour_all_to_allv`; `wait` throws it where a block that came with others
/// has another length @see MPI standard, Nonblocking Neighborhood Communication
template <class Where, class... Arguments>
    requires(detail::enough_for_neighbours<4, Where, Arguments...>)
request ineighbour_all_to_allv(const Where& where, Arguments&&... arguments) {
    return detail::neighbour_all_to_allv_form<detail::at_once>("topo::ineighbour_all_to_allv", where,
                                                               std::forward<Arguments>(arguments)...);
}

/// Without neighbours or another argument it does not compile: the message says how it is written.
template <class Where, class... Given>
    requires(!detail::enough_for_neighbours<4, Where, Given...>)
request ineighbour_all_to_allv(const Where&, const Given&...)
TOPOMP_NEEDS_NEIGHBOURS("ineighbour_all_to_allv(where, elements, counts, result, result_counts)");

} // namespace topo
