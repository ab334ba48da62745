// SPDX-License-Identifier: BSL-1.0
/// @file
/// Broadcast, reduce, all-reduce and barrier as a loop over levels.
#pragma once

#include <topomp/algorithm/level_loop.hpp>
#include <topomp/algorithm/native.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/algorithm/tree_up.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <mpi.h>

#include <cstddef>

namespace topo::detail {

/// First outwards from the root: in each level that contains it, until the lowest rank of every level around
/// it has the data; then inwards everywhere else.
inline void looped_broadcast(team& ranks, const loop_plan& plan, const message& what, int root) {
    const level_loop& loop = level_loop::of(ranks, plan);
    const auto& path = ranks.path_of(root);
    const int around = loop.around(path);
    for (int depth = around - 1; depth >= 0; --depth)
        if (const auto& [here, how, all] = loop.at(depth); here != nullptr)
            how->broadcast(*here, what, loop.root_at(depth, path, root));
    for (int depth = around; depth <= loop.depth(); ++depth)
        if (const auto& [here, how, all] = loop.at(depth); here != nullptr) how->broadcast(*here, what, 0);
}

/// A copy of a rank's operands in the team's scratch memory, in which sums may grow.
inline message scratch_copy(team& ranks, const void* input, const message& like, const type_layout& layout) {
    message copy{ranks.scratch(layout.span(like.count)) - layout.true_lower, like.count, like.type};
    in_countable_pieces(like, [&](std::size_t first, int count) {
        copy_elements(layout.element(input, first), layout.element(copy.data, first), count, like.type);
    });
    return copy;
}

/// To the lowest rank of each level that does not contain the root, then along the levels that do, outermost
/// first. @param sum what each rank gives; the root's is the result, the others' is lost
///
/// @pre the operation is commutative, or the root is 0 and every level an interval of ranks
inline void looped_reduce_in_place(team& ranks, const loop_plan& plan, const message& sum, MPI_Op op,
                                   int root) {
    const level_loop& loop = level_loop::of(ranks, plan);
    const auto& path = ranks.path_of(root);
    const int around = loop.around(path);
    for (int depth = loop.depth(); depth >= around; --depth)
        if (const auto& [here, how, all] = loop.at(depth); here != nullptr) how->reduce(*here, sum, op, 0);
    for (int depth = 0; depth < around; ++depth)
        if (const auto& [here, how, all] = loop.at(depth); here != nullptr)
            how->reduce(*here, sum, op, loop.root_at(depth, path, root));
}

inline void looped_reduce(team& everybody, const loop_plan& plan, const void* input, const message& result,
                          combination how, int root) {
    team& ranks = how.is_commutative ? everybody : everybody.in_rank_order();
    const int end = how.is_commutative ? root : 0; // where the levels lead
    const type_layout layout{result.type};
    const message sum = scratch_copy(ranks, input, result, layout);
    looped_reduce_in_place(ranks, plan, sum, how.op, end);
    const int tag = ranks.next_tag();
    in_countable_pieces(result, [&](std::size_t first, int count) {
        if (ranks.rank() == end && end != root)
            mpi::check(MPI_Send(layout.element(sum.data, first), count, sum.type, root, tag, ranks.wire()),
                       "MPI_Send", "result to the root");
        if (ranks.rank() != root) return;
        void* const place = layout.element(result.data, first);
        if (end == root)
            copy_elements(layout.element(sum.data, first), place, count, sum.type);
        else
            mpi::check(MPI_Recv(place, count, result.type, end, tag, ranks.wire(), MPI_STATUS_IGNORE),
                       "MPI_Recv", "result to the root");
    });
}

/// Sums to the lowest rank of each level, the outermost members' all-reduce, and the sum back inwards.
inline void looped_all_reduce(team& everybody, const loop_plan& plan, const void* input,
                              const message& result, combination how) {
    team& ranks = how.is_commutative ? everybody : everybody.in_rank_order();
    const level_loop& loop = level_loop::of(ranks, plan);
    const type_layout layout{result.type};
    if (input != result.data)
        in_countable_pieces(result, [&](std::size_t first, int count) {
            copy_elements(layout.element(input, first), layout.element(result.data, first), count,
                          result.type);
        });
    for (int depth = loop.depth(); depth > 0; --depth)
        if (const auto& [here, by, all] = loop.at(depth); here != nullptr)
            by->reduce(*here, result, how.op, 0);
    if (const auto& [here, by, all] = loop.at(0); here != nullptr) by->all_reduce(*here, result, how.op);
    for (int depth = 1; depth <= loop.depth(); ++depth)
        if (const auto& [here, by, all] = loop.at(depth); here != nullptr) by->broadcast(*here, result, 0);
}

/// A barrier in each level from the innermost to the outermost, and back.
inline void looped_barrier(team& ranks, const loop_plan& plan) {
    const level_loop& loop = level_loop::of(ranks, plan);
    for (int depth = loop.depth(); depth >= 0; --depth)
        if (const auto& [here, how, all] = loop.at(depth); here != nullptr) how->barrier(*here);
    for (int depth = 1; depth <= loop.depth(); ++depth)
        if (const auto& [here, how, all] = loop.at(depth); here != nullptr) how->barrier(*here);
}

} // namespace topo::detail
