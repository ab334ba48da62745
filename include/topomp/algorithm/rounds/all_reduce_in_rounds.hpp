// SPDX-License-Identifier: BSL-1.0
/// @file
/// All_reduce in rounds of several ranks, for any number of ranks.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/rounds/circulant_all_reduce.hpp>
#include <topomp/algorithm/rounds/exchange_operations.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

/// Whether a message goes on a circulant graph rather than by Rabenseifner's algorithm: if the number of
/// ranks is no product of factors up to the radix, so that this one would need a round before and after the
/// others, in which whole messages go to and from the ranks that are too many. Short messages are combined
/// in fewer rounds by the latter.
///
/// Simulated, one rank of each node, microseconds on a circulant graph and by Rabenseifner's algorithm:
///
/// ```
///   nodes, radix              8           2 KiB       8 KiB       64 KiB      512 KiB
///   17, 5 and 4, smp20e7      8.4  5.4    11.2 11.4   12.2 14.9   24.5 39.4   124.9 244.5
///   13, 5 and 8, slow16x16    44.4 42.9   48.1 71.8   59.7 92.5   171  278    948   1760
///   31, 8, ntw32x16           14.3 9.0    19.5 16.5   20.2 19.8   38.3 43.1   194.5 244.6
/// ```
bool is_circulant_faster(int ranks, int radix, std::size_t bytes);

/// Chooses the faster of the two. @pre `op` is commutative
/// @param pools whose operations are taken @param run as `to_the_end` @return its result
template <class Run>
auto run_all_reduce_in_rounds(context& ranks, context& pools, const void* input, const message& result,
                              MPI_Op op, int radix, std::size_t whole_bytes, const Run& run) {
    constexpr std::size_t piece_bytes = 65536;
    if (is_circulant_faster(ranks.private_comm().size(), radix, bytes_of(result)))
        return run(pools.pool<circulant_all_reduce>(), [&](circulant_all_reduce& all) {
            all.start(ranks, input, result, {op, true}, radix, piece_bytes);
        });
    return run(pools.pool<all_reduce_exchange>(), [&](all_reduce_exchange& all) {
        all.start_halving(ranks, input, result, {op, true}, radix, whole_bytes);
    });
}

/// Combines all ranks' operands on all of them by the faster of the two. @pre `op` is commutative
/// @collective over the ranks
void all_reduce_in_rounds(context& ranks, const void* input, const message& result, MPI_Op op, int radix);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/rounds/impl/all_reduce_in_rounds.ipp>
#endif
