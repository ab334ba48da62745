// SPDX-License-Identifier: BSL-1.0
/// @file
/// The MPI's own collectives on one communicator.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/progress/segments.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

/// Calls `f(elements from first on, count)` for pieces that MPI's `int` counts can express.
template <class F>
void in_countable_pieces(const message& what, F f) {
    const segments pieces{what.count, size_of(what.type), 0};
    for (std::size_t s = 0; s < pieces.number; ++s)
        f(pieces.first(s), pieces.length(s));
}

/// @param others which another thread may advance while this one is inside the MPI, as in all that follow
/// @pre this thread has its turn with `others`
void flat_broadcast(in_flight& others, const boost::mpi::communicator& comm, message what, int root);

/// Whether MPI_Reduce works in place at this root. MPICH 4.0's does not where the root is not 0 and the
/// message is long: it reads from the address MPI_IN_PLACE.
constexpr bool reduces_in_place([[maybe_unused]] int root) {
#ifdef MPICH_VERSION
    return root == 0;
#else
    return true;
#endif
}

/// @param spare reused by later calls
void flat_reduce(in_flight& others, scratch_buffer& spare, const boost::mpi::communicator& comm,
                 const void* input, message result, MPI_Op op, int root);

void flat_reduce(context& ranks, const void* input, const message& result, MPI_Op op, int root);

void flat_all_reduce(in_flight& others, const boost::mpi::communicator& comm, const void* input,
                     message result, MPI_Op op);

void flat_barrier(in_flight& others, const boost::mpi::communicator& comm);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/native/impl/native.ipp>
#endif
