// SPDX-License-Identifier: BSL-1.0
/// @file
/// The neighbours of a rank in MPI's topologies.
#pragma once

#include <topomp/core/mpi.hpp>

#include <mpi.h>

namespace topo::preload {

/// How many neighbours the calling rank has.
struct degrees {
    int in = 0, out = 0;
    bool is_topology = false;

    /// Of a communicator, by its topology. Local
    explicit degrees(MPI_Comm comm) {
        if (comm == MPI_COMM_NULL) return;
        int kind = MPI_UNDEFINED, dimensions = 0, is_weighted = 0;
        mpi::check(MPI_Topo_test(comm, &kind), "MPI_Topo_test", "communicator");
        is_topology = kind != MPI_UNDEFINED;
        if (kind == MPI_CART) {
            mpi::check(MPI_Cartdim_get(comm, &dimensions), "MPI_Cartdim_get", "communicator");
            in = out = 2 * dimensions;
        } else if (kind == MPI_GRAPH) {
            mpi::check(MPI_Graph_neighbors_count(comm, mpi::comm_rank(comm), &in),
                       "MPI_Graph_neighbors_count", "communicator");
            out = in;
        } else if (kind == MPI_DIST_GRAPH) {
            mpi::check(MPI_Dist_graph_neighbors_count(comm, &in, &out, &is_weighted),
                       "MPI_Dist_graph_neighbors_count", "communicator");
        }
    }
};

} // namespace topo::preload
