// SPDX-License-Identifier: BSL-1.0
/// @file
/// Memory, measured: copies, and flags that ranks set for each other.
#pragma once

#include <topomp/model/machine_parameters.hpp>

#include <boost/mpi/communicator.hpp>

#include <vector>

namespace topo::tool {

/// What `memcpy` reaches with blocks that fit into nearer and farther caches and into none. Local.
std::vector<model::machine_parameters::copy> measure_copies(double seconds);

/// Seconds from a store by one of two ranks until the other's load sees it, in memory that both share; 0
/// where they share none. @return on rank 0 @collective over the communicator, of two ranks
double measure_flag(const boost::mpi::communicator& two, double seconds);

} // namespace topo::tool
