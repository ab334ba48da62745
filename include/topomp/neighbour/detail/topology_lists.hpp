// SPDX-License-Identifier: BSL-1.0
/// @file
/// The neighbours that MPI's topologies give.
#pragma once

#include <boost/mpi/config.hpp>

#include <vector>

namespace topo::detail {

inline constexpr auto neighbourhood_name = "topo::neighbourhood";

/// What MPI says of a communicator's neighbours.
struct topology_lists {
    std::vector<int> sources, destinations, source_keys, destination_keys;
};

/// Local. @pre an intra-communicator of a running MPI @throws argument_error if it has no topology
topology_lists topology_of(MPI_Comm comm);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/neighbour/impl/topology_lists.ipp>
#endif
