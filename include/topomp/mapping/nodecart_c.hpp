// SPDX-License-Identifier: BSL-1.0
/// @file
/// The names of paper 3, for programs written for them or for MPI's own: `MPIX_Nodecart_create` in place of
/// `MPI_Cart_create`, and so on. Not part of topomp.hpp.
///
/// The communicators are Cartesian ones of MPI's, and the user's to free. Errors are returned as codes; what
/// the exception said is lost.
#pragma once

#include <topomp/mapping/node_cart.hpp>

#include <mpi.h>

#include <exception>
#include <vector>

/// As `MPI_Cart_create`, with neighbours on the same node as far as possible where @p reorder allows it. As
/// many processes as cells; a dimension of 0 is chosen, which `MPIX_Nodecart_get` tells.
/// @collective over @p comm @return MPI_SUCCESS, MPI_ERR_DIMS or another code, the same on all ranks
/// @see paper 3, section 2.1
inline int MPIX_Nodecart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                                MPI_Comm* nodecart) {
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

/// As `MPI_Cart_coords`. Local.
inline int MPIX_Nodecart_coords(MPI_Comm nodecart, int rank, int maxdims, int coords[]) {
    return MPI_Cart_coords(nodecart, rank, maxdims, coords);
}

/// As `MPI_Cart_rank`. Local.
inline int MPIX_Nodecart_rank(MPI_Comm nodecart, const int coords[], int* rank) {
    return MPI_Cart_rank(nodecart, coords, rank);
}

/// As `MPI_Cart_shift`. Local.
inline int MPIX_Nodecart_shift(MPI_Comm nodecart, int direction, int displacement, int* source,
                               int* destination) {
    return MPI_Cart_shift(nodecart, direction, displacement, source, destination);
}

/// As `MPI_Cart_get`. Local.
inline int MPIX_Nodecart_get(MPI_Comm nodecart, int maxdims, int dims[], int periods[], int coords[]) {
    return MPI_Cart_get(nodecart, maxdims, dims, periods, coords);
}

/// As `MPI_Cart_sub`. @collective over @p nodecart
inline int MPIX_Nodecart_sub(MPI_Comm nodecart, const int remain_dims[], MPI_Comm* part) {
    return MPI_Cart_sub(nodecart, remain_dims, part);
}
