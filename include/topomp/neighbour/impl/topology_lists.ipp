// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/neighbour/detail/topology_lists.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE topology_lists cartesian_lists(MPI_Comm comm) {
    int dimensions = 0;
    mpi::check(MPI_Cartdim_get(comm, &dimensions), "MPI_Cartdim_get", "communicator");
    topology_lists all;
    for (int i = 0; i < dimensions; ++i) {
        int below = MPI_PROC_NULL, above = MPI_PROC_NULL;
        mpi::check(MPI_Cart_shift(comm, i, 1, &below, &above), "MPI_Cart_shift", "communicator");
        for (const int side : {0, 1}) {
            all.sources.push_back(side == 0 ? below : above);
            all.source_keys.push_back(2 * i + side);
            all.destination_keys.push_back(2 * i + 1 - side); // it arrives from the other side
        }
    }
    all.destinations = all.sources;
    return all;
}

TOPOMP_INLINE topology_lists topology_of(MPI_Comm comm) {
    int kind = MPI_UNDEFINED;
#ifdef SMPI_H // which has no MPI_Topo_test
    int dimensions = 0;
    if (MPI_Cartdim_get(comm, &dimensions) == MPI_SUCCESS) kind = MPI_CART;
#else
    mpi::check(MPI_Topo_test(comm, &kind), "MPI_Topo_test", "communicator");
#endif
    if (kind == MPI_CART) return cartesian_lists(comm);
    [[maybe_unused]] topology_lists all;
#ifndef SMPI_H // which has Cartesian topologies only
    if (kind == MPI_GRAPH) {
        int count = 0;
        const int rank = mpi::comm_rank(comm);
        mpi::check(MPI_Graph_neighbors_count(comm, rank, &count), "MPI_Graph_neighbors_count",
                   "communicator");
        all.sources.resize(static_cast<std::size_t>(count));
        mpi::check(MPI_Graph_neighbors(comm, rank, count, all.sources.data()), "MPI_Graph_neighbors",
                   "communicator");
        all.destinations = all.sources;
        return all;
    }
    if (kind == MPI_DIST_GRAPH) {
        int in = 0, out = 0, has_weights = 0;
        mpi::check(MPI_Dist_graph_neighbors_count(comm, &in, &out, &has_weights),
                   "MPI_Dist_graph_neighbors_count", "communicator");
        all.sources.resize(static_cast<std::size_t>(in));
        all.destinations.resize(static_cast<std::size_t>(out));
        std::vector<int> weights(static_cast<std::size_t>(in) + static_cast<std::size_t>(out) + 1);
        mpi::check(MPI_Dist_graph_neighbors(comm, in, all.sources.data(), weights.data(), out,
                                            all.destinations.data(), weights.data() + in),
                   "MPI_Dist_graph_neighbors", "communicator");
        return all;
    }
#endif
    throw argument_error(neighbourhood_name, "communicator", "it has no topology");
}

} // namespace topo::detail
