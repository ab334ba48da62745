// SPDX-License-Identifier: BSL-1.0
/// @file
/// The MPI's own exchanges of blocks of different lengths, and reduce-scatter, on the whole communicator.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/native/native_blocks.hpp>
#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// The two sides of a call, reused by later calls.
struct flat_exchange {
    flat_blocks source, result;
};

/// @param others as in native.hpp @pre `is_countable`, and the calling rank's block is in its place; here and
/// below this thread has its turn, too
void flat_all_gather(in_flight& others, const boost::mpi::communicator& comm, const blocks& result);

/// @pre `is_countable`
void flat_all_to_all(in_flight& others, const boost::mpi::communicator& comm, const blocks& source,
                     const blocks& result);

/// @pre all blocks together have at most INT_MAX bytes; the calling rank's is in its place
void flat_all_gatherv(context& ranks, const blocks& result, const flat_limits& limits);

/// Blocks that are too long for the MPI's call are sent as single messages after it.
void flat_all_to_allv(context& ranks, const blocks& source, const blocks& result, const flat_limits& limits);

/// The arguments of the MPI's reduce-scatter, reused by later calls.
struct flat_reduce_scatter_memory {
    std::vector<int> counts;
    scratch_buffer result, temporary;
    double nothing = 0; ///< has an address, which MPIs require even for no elements
};

/// @param input a block for each rank, one behind the other @param mine may lie in `input`
/// @pre all blocks together can be counted in an `int`
void flat_reduce_scatter(context& ranks, const blocks& input, std::size_t elements, const message& mine,
                         MPI_Op op);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/native/impl/native_exchanges.ipp>
#endif
