// SPDX-License-Identifier: BSL-1.0
/// @file
/// Exchanges with neighbours, nonblocking.
#pragma once

#include <topomp/neighbour/detail/neighbour_forms.hpp>

#include <utility>

namespace topo {

/// Starts what `neighbour_all_to_all` does, with its arguments: `ineighbour_all_to_all(where, elements,
/// result)`. Both buffers must stay where they are, the elements unchanged and the result unread, until the
/// request is complete. Progress as for other requests, those on one neighbourhood's ranks standing for a
/// hierarchy's. Local, but for the first time with an MPI communicator. @collective over the communicator of
/// `where`
/// @throws argument_error as `neighbour_all_to_all`; `wait` throws it where a block that came with others has
/// another length @see MPI standard, Nonblocking Neighborhood Communication
template <detail::neighbours Where, class... Arguments>
request ineighbour_all_to_all(const Where& where, Arguments&&... arguments) {
    return detail::neighbour_all_to_all_form<detail::at_once>("topo::ineighbour_all_to_all", where,
                                                              std::forward<Arguments>(arguments)...);
}

/// Starts what `neighbour_all_to_allv` does, with its arguments: `ineighbour_all_to_allv(where, elements,
/// counts, result, result_counts)`. Both buffers must stay where they are, the elements unchanged and the
/// result unread, until the request is complete. Progress as for other requests, those on one neighbourhood's
/// ranks standing for a hierarchy's. Local, but for the first time with an MPI communicator. @collective over
/// the communicator of `where`
/// @throws argument_error as `neighbour_all_to_allv`; `wait` throws it where a block that came with others
/// has another length @see MPI standard, Nonblocking Neighborhood Communication
template <detail::neighbours Where, class... Arguments>
request ineighbour_all_to_allv(const Where& where, Arguments&&... arguments) {
    return detail::neighbour_all_to_allv_form<detail::at_once>("topo::ineighbour_all_to_allv", where,
                                                               std::forward<Arguments>(arguments)...);
}

} // namespace topo
