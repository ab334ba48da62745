// SPDX-License-Identifier: BSL-1.0
/// @file
/// The names of paper 3, for programs written for them or for MPI's own: `MPIX_Nodecart_create` in place of
/// `MPI_Cart_create`, and so on. Not part of topomp.hpp.
///
/// The communicators are Cartesian ones of MPI's, and the user's to free. Errors are returned as codes; the
/// exception's message is lost.
#pragma once

#include <boost/mpi/config.hpp>

/// As `MPI_Cart_create`, with neighbours on the same node as far as possible where @p reorder allows it. As
/// many processes as cells; a dimension of 0 is chosen, which `MPIX_Nodecart_get` returns.
/// @collective over @p comm @return MPI_SUCCESS, MPI_ERR_DIMS or another code, the same on all ranks
/// @see paper 3, section 2.1
int MPIX_Nodecart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                         MPI_Comm* nodecart);

/// As `MPI_Cart_coords`. Local.
int MPIX_Nodecart_coords(MPI_Comm nodecart, int rank, int maxdims, int coords[]);

/// As `MPI_Cart_rank`. Local.
int MPIX_Nodecart_rank(MPI_Comm nodecart, const int coords[], int* rank);

/// As `MPI_Cart_shift`. Local.
int MPIX_Nodecart_shift(MPI_Comm nodecart, int direction, int displacement, int* source, int* destination);

/// As `MPI_Cart_get`. Local.
int MPIX_Nodecart_get(MPI_Comm nodecart, int maxdims, int dims[], int periods[], int coords[]);

/// As `MPI_Cart_sub`. @collective over @p nodecart
int MPIX_Nodecart_sub(MPI_Comm nodecart, const int remain_dims[], MPI_Comm* part);

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/impl/nodecart_c.ipp>
#endif
