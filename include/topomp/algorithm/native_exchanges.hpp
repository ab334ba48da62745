// SPDX-License-Identifier: BSL-1.0
/// @file
/// The MPI's own exchanges of blocks of different lengths on the whole communicator.
#pragma once

#include <topomp/algorithm/all_to_all_operations.hpp>
#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/exchange_order.hpp>
#include <topomp/algorithm/native_blocks.hpp>
#include <topomp/algorithm/run.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <climits>
#include <mpi.h>

#include <cstddef>

namespace topo::detail {

/// Bytes of all blocks.
inline std::size_t total_bytes(const blocks& all, int ranks) {
    std::size_t elements = 0;
    for (int rank = 0; rank < ranks; ++rank)
        elements += all.count_of(rank);
    return elements * type_layout{all.type}.size;
}

/// The two sides of a call, kept from call to call.
struct flat_exchange {
    flat_blocks source, result;
};

/// @pre all blocks together have at most INT_MAX bytes; the calling rank's is in its place
inline void flat_all_gatherv(team& ranks, const blocks& result, const flat_limits& limits) {
    const auto& comm = ranks.wire();
    auto call = ranks.pool<flat_exchange>().take();
    flat_blocks& parts = call->result;
    parts.set(result, comm.size(), -1, limits);
    parts.fill(comm.rank());
    mpi::check(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, parts.data(), parts.counts.data(),
                              parts.positions.data(), result.type, comm),
               "MPI_Allgatherv", "all_gatherv");
    parts.spill();
    ranks.pool<flat_exchange>().give_back(std::move(call));
}

/// Blocks that are too long for the MPI's call go from rank to rank behind it.
inline void flat_all_to_allv(team& ranks, const blocks& source, const blocks& result,
                             const flat_limits& limits) {
    const auto& comm = ranks.wire();
    const exchange_order& order = ranks.order();
    const int tag = ranks.next_tag();
    auto call = ranks.pool<flat_exchange>().take();
    flat_blocks &from = call->source, &to = call->result;
    from.set(source, comm.size(), -1, limits);
    to.set(result, comm.size(), -1, limits);
    from.fill();
    mpi::check(MPI_Alltoallv(from.data(), from.counts.data(), from.positions.data(), source.type, to.data(),
                             to.counts.data(), to.positions.data(), result.type, comm),
               "MPI_Alltoallv", "all_to_allv");
    to.spill();
    if (!from.long_ranks.empty() || !to.long_ranks.empty())
        run(ranks.pool<all_to_all_pairwise>(), [&](all_to_all_pairwise& op) {
            op.start_from(limits.block_bytes + 1, ranks, order, tag, source, result);
        });
    ranks.pool<flat_exchange>().give_back(std::move(call));
}

} // namespace topo::detail
