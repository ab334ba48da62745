// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/node_cart.hpp>
#include <topomp/mapping/nodecart_c.hpp>

#include <boost/mpi/config.hpp>

#include <exception>
#include <vector>

TOPOMP_INLINE int MPIX_Nodecart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[],
                                       int reorder, MPI_Comm* nodecart) {
    *nodecart = MPI_COMM_NULL;
    if (ndims < 1) return MPI_ERR_DIMS;
    try {
        topo::node_cart_options options;
        options.periods.assign(periods, periods + ndims);
        options.reorder = reorder != 0 ? topo::reordering::allowed : topo::reordering::off;
        const topo::node_cart made{comm, std::vector<int>(dims, dims + ndims), options};
        // Not a duplicate: SimGrid's (3.32) has no usable topology.
        return MPI_Cart_create(made, ndims, made.dims().data(), periods, 0, nodecart);
    } catch (const topo::argument_error&) {
        return MPI_ERR_DIMS;
    } catch (const std::exception&) {
        return MPI_ERR_OTHER;
    }
}

TOPOMP_INLINE int MPIX_Nodecart_coords(MPI_Comm nodecart, int rank, int maxdims, int coords[]) {
    return MPI_Cart_coords(nodecart, rank, maxdims, coords);
}

TOPOMP_INLINE int MPIX_Nodecart_rank(MPI_Comm nodecart, const int coords[], int* rank) {
    return MPI_Cart_rank(nodecart, coords, rank);
}

TOPOMP_INLINE int MPIX_Nodecart_shift(MPI_Comm nodecart, int direction, int displacement, int* source,
                                      int* destination) {
    return MPI_Cart_shift(nodecart, direction, displacement, source, destination);
}

TOPOMP_INLINE int MPIX_Nodecart_get(MPI_Comm nodecart, int maxdims, int dims[], int periods[], int coords[]) {
    return MPI_Cart_get(nodecart, maxdims, dims, periods, coords);
}

TOPOMP_INLINE int MPIX_Nodecart_sub(MPI_Comm nodecart, const int remain_dims[], MPI_Comm* part) {
    return MPI_Cart_sub(nodecart, remain_dims, part);
}
