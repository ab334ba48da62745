// SPDX-License-Identifier: BSL-1.0
/// @file
/// The same elements to all neighbours prepared once and started many times.
#pragma once

#include <topomp/neighbour/detail/neighbour_forms.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <utility>

namespace topo {

/// Prepares what `neighbour_all_gather` does, with its arguments: `neighbour_all_gather_init(where, elements,
/// result)`. Nothing is read or filled before `persistent::start`; the buffers must stay where they are until
/// the result is destroyed. @collective over the communicator of `where`; its exchanges that do not wait are
/// started in the same order on all ranks
/// @cost places for its blocks in the memory of nodes, if it goes through that: then as much as to make
/// `where`
/// @throws argument_error as `neighbour_all_gather`; `wait` throws it where a block that came with others has
/// another length @see MPI standard 4.0, Persistent Neighborhood Communication
template <class Where, class... Arguments>
    requires(detail::enough_for_neighbours<2, Where, Arguments...>)
persistent neighbour_all_gather_init(const Where& where, Arguments&&... arguments) {
    return detail::neighbour_all_gather_form<detail::when_started>("topo::neighbour_all_gather_init", where,
                                                                   std::forward<Arguments>(arguments)...);
}

/// Without neighbours or another argument it does not compile: the message says how it is written.
template <class Where, class... Given>
    requires(!detail::enough_for_neighbours<2, Where, Given...>)
persistent neighbour_all_gather_init(const Where&, const Given&...)
TOPOMP_NEEDS_NEIGHBOURS("neighbour_all_gather_init(where, elements, result)");

/// Prepares what `neighbour_all_gatherv` does, with its arguments: `neighbour_all_gatherv_init(where,
/// elements, result, result_counts)`. Nothing is read or filled before `persistent::start`; the buffers must
/// stay where they are until the result is destroyed. @collective over the communicator of `where`; its
/// exchanges that do not wait are started in the same order on all ranks
/// @cost places for its blocks in the memory of nodes, if it goes through that: then as much as to make
/// `where`
/// @throws argument_error as `neighbour_all_gatherv`; `wait` throws it where a block that came with others
/// has another length @see MPI standard 4.0, Persistent Neighborhood Communication
template <class Where, class... Arguments>
    requires(detail::enough_for_neighbours<3, Where, Arguments...>)
persistent neighbour_all_gatherv_init(const Where& where, Arguments&&... arguments) {
    return detail::neighbour_all_gatherv_form<detail::when_started>("topo::neighbour_all_gatherv_init", where,
                                                                    std::forward<Arguments>(arguments)...);
}

/// Without neighbours or another argument it does not compile: the message says how it is written.
template <class Where, class... Given>
    requires(!detail::enough_for_neighbours<3, Where, Given...>)
persistent neighbour_all_gatherv_init(const Where&, const Given&...)
TOPOMP_NEEDS_NEIGHBOURS("neighbour_all_gatherv_init(where, elements, result, result_counts)");

} // namespace topo
