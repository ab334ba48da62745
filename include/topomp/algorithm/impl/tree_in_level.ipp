// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/levels/level_context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/algorithm/tree_in_level.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>

namespace topo::detail {

TOPOMP_INLINE void tree_in_level_broadcast(level_members& here, const message& what, int root,
                                           const tree_plan& plan) {
    context& ranks = here.attached<level_context>().ranks();
    run(ranks.pool<broadcast_operation>(),
        [&](broadcast_operation& op) { op.start(ranks, plan, what, root); });
}

TOPOMP_INLINE void tree_in_level_reduce(level_members& here, const void* input, const message& result,
                                        MPI_Op op, int root, const tree_plan& plan) {
    const bool is_commutative = mpi::op_is_commutative(op);
    if (!is_commutative && !plan.keeps_order()) return mpi_calls::reduce(here, input, result, op, root);
    context& ranks = here.attached<level_context>().ranks();
    run(ranks.pool<reduce_operation>(), [&](reduce_operation& all) {
        all.start(ranks, plan, input, result, {op, is_commutative}, root);
    });
}

TOPOMP_INLINE void tree_in_level_all_reduce(level_members& here, const void* input, const message& result,
                                            MPI_Op op, const tree_plan& plan) {
    const bool is_commutative = mpi::op_is_commutative(op);
    if (!is_commutative && !plan.keeps_order()) return mpi_calls::all_reduce(here, input, result, op);
    context& ranks = here.attached<level_context>().ranks();
    run(ranks.pool<all_reduce_operation>(), [&](all_reduce_operation& all) {
        all.start(ranks, plan, input, result, {op, is_commutative});
    });
}

TOPOMP_INLINE void tree_in_level_barrier(level_members& here, const tree_plan& plan) {
    context& ranks = here.attached<level_context>().ranks();
    run(ranks.pool<all_reduce_operation>(),
        [&](all_reduce_operation& all) { all.start_barrier(ranks, plan); });
}

} // namespace topo::detail
