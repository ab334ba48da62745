// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/circulant_in_level.hpp>
#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/levels/level_context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/rounds/circulant_all_reduce.hpp>
#include <topomp/algorithm/rounds/circulant_operations.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>

#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE void circulant_in_level_broadcast(level_members& here, const message& what, int root,
                                                std::size_t piece_bytes, std::size_t under_way) {
    context& ranks = here.attached<level_context>().ranks();
    run(ranks.pool<circulant_broadcast>(),
        [&](circulant_broadcast& op) { op.start(ranks, what, root, piece_bytes, under_way); });
}

TOPOMP_INLINE void circulant_in_level_reduce(level_members& here, const void* input, const message& result,
                                             MPI_Op op, int root, std::size_t piece_bytes,
                                             std::size_t under_way) {
    if (!mpi::op_is_commutative(op)) return mpi_calls::reduce(here, input, result, op, root);
    context& ranks = here.attached<level_context>().ranks();
    run(ranks.pool<circulant_reduce>(), [&](circulant_reduce& all) {
        all.start(ranks, input, result, {op, true}, root, piece_bytes, under_way);
    });
}

TOPOMP_INLINE void circulant_in_level_all_reduce(level_members& here, const void* input,
                                                 const message& result, MPI_Op op, std::size_t piece_bytes) {
    if (!mpi::op_is_commutative(op)) return mpi_calls::all_reduce(here, input, result, op);
    context& ranks = here.attached<level_context>().ranks();
    constexpr int radix = 5; // the fastest for 64 KiB among 13 to 23 ranks
    run(ranks.pool<circulant_all_reduce>(), [&](circulant_all_reduce& all) {
        all.start(ranks, input, result, {op, true}, radix, piece_bytes);
    });
}

} // namespace topo::detail
