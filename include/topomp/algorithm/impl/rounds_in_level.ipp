// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/levels/level_context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/rounds/all_reduce_in_rounds.hpp>
#include <topomp/algorithm/rounds/exchange_operations.hpp>
#include <topomp/algorithm/rounds_in_level.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>

namespace topo::detail {

TOPOMP_INLINE void rounds_in_level_broadcast(level_members& here, const message& what, int root, int radix) {
    context& ranks = here.attached<level_context>().ranks();
    run(ranks.pool<broadcast_exchange>(),
        [&](broadcast_exchange& op) { op.start(ranks, what, root, radix); });
}

TOPOMP_INLINE void rounds_in_level_reduce(level_members& here, const void* input, const message& result,
                                          MPI_Op op, int root, int radix) {
    if (!mpi::op_is_commutative(op)) return mpi_calls::reduce(here, input, result, op, root);
    context& ranks = here.attached<level_context>().ranks();
    run(ranks.pool<reduce_exchange>(), [&](reduce_exchange& all) {
        all.start(ranks, input, result, {op, true}, root, radix);
    });
}

TOPOMP_INLINE void rounds_in_level_all_reduce(level_members& here, const void* input, const message& result,
                                              MPI_Op op, int radix) {
    context& ranks = here.attached<level_context>().ranks();
    if (mpi::op_is_commutative(op)) return all_reduce_in_rounds(ranks, input, result, op, radix);
    run(ranks.pool<all_reduce_exchange>(), [&](all_reduce_exchange& all) {
        all.start_doubling(ranks, input, result, {op, false}, radix);
    });
}

TOPOMP_INLINE void rounds_in_level_barrier(level_members& here, int radix) {
    context& ranks = here.attached<level_context>().ranks();
    run(ranks.pool<all_reduce_exchange>(),
        [&](all_reduce_exchange& all) { all.start_barrier(ranks, radix); });
}

} // namespace topo::detail
