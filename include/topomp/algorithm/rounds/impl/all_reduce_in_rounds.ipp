// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/rounds/all_reduce_in_rounds.hpp>
#include <topomp/algorithm/rounds/circulant_all_reduce.hpp>
#include <topomp/algorithm/rounds/exchange_operations.hpp>
#include <topomp/algorithm/schedule/radices.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE bool is_circulant_faster(int ranks, int radix, std::size_t bytes) {
    constexpr std::size_t shortest = 4096;
    return bytes >= shortest && radices{ranks, {}, radix}.product() != ranks;
}

TOPOMP_INLINE void all_reduce_in_rounds(context& ranks, const void* input, const message& result, MPI_Op op,
                                        int radix) {
    constexpr std::size_t piece_bytes = 65536;
    if (is_circulant_faster(ranks.private_comm().size(), radix, bytes_of(result)))
        run(ranks.pool<circulant_all_reduce>(), [&](circulant_all_reduce& all) {
            all.start(ranks, input, result, {op, true}, radix, piece_bytes);
        });
    else
        run(ranks.pool<all_reduce_exchange>(), [&](all_reduce_exchange& all) {
            all.start_halving(ranks, input, result, {op, true}, radix, whole_bytes_in_rounds);
        });
}

} // namespace topo::detail
