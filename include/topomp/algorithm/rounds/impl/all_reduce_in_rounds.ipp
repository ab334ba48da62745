// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/rounds/all_reduce_in_rounds.hpp>
#include <topomp/algorithm/rounds/whole_bytes.hpp>
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
    run_all_reduce_in_rounds(ranks, ranks, input, result, op, radix, whole_bytes_in_rounds, to_the_end{});
}

} // namespace topo::detail
