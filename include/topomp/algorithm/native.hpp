// SPDX-License-Identifier: BSL-1.0
/// @file
/// The MPI's own collectives: once on the whole communicator, or looped over the levels.
#pragma once

#include <topomp/algorithm/segments.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/algorithm/tree_up.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <mpi.h>

#include <cstddef>

namespace topo::detail {

/// Calls `f(elements from first on, count)` for pieces that MPI's `int` counts can express.
template <class F>
void in_countable_pieces(const message& what, F f) {
    const type_layout layout{what.type};
    const segments pieces{what.count, layout.size, 0};
    for (std::size_t s = 0; s < pieces.number; ++s)
        f(pieces.first(s), pieces.length(s));
}

inline void flat_broadcast(const boost::mpi::communicator& comm, message what, int root) {
    const type_layout layout{what.type};
    in_countable_pieces(what, [&](std::size_t first, int count) {
        mpi::bcast(layout.element(what.data, first), count, what.type, root, comm, "broadcast");
    });
}

/// Whether MPI_Reduce works in place at this root. MPICH 4.0's does not where the root is not 0 and the
/// message is long: it reads from MPI_IN_PLACE as if that were memory.
constexpr bool reduces_in_place([[maybe_unused]] int root) {
#ifdef MPICH_VERSION
    return root == 0;
#else
    return true;
#endif
}

inline void flat_reduce(team& ranks, const boost::mpi::communicator& comm, const void* input, message result,
                        MPI_Op op, int root) {
    const type_layout layout{result.type};
    const bool is_root = comm.rank() == root;
    in_countable_pieces(result, [&](std::size_t first, int count) {
        void* const to = is_root ? layout.element(result.data, first) : nullptr;
        const void* from = layout.element(input, first);
        if (from == to && reduces_in_place(root)) {
            from = MPI_IN_PLACE;
        } else if (from == to) {
            void* const copy =
                ranks.second_scratch(layout.span(static_cast<std::size_t>(count))) - layout.true_lower;
            copy_elements(from, copy, count, result.type);
            from = copy;
        }
        mpi::check(MPI_Reduce(from, to, count, result.type, op, root, comm), "MPI_Reduce", "reduce");
    });
}

inline void flat_all_reduce(const boost::mpi::communicator& comm, const void* input, message result,
                            MPI_Op op) {
    const type_layout layout{result.type};
    in_countable_pieces(result, [&](std::size_t first, int count) {
        mpi::check(MPI_Allreduce(input == result.data ? MPI_IN_PLACE : layout.element(input, first),
                                 layout.element(result.data, first), count, result.type, op, comm),
                   "MPI_Allreduce", "all_reduce");
    });
}

/// The MPI's own broadcast from level to level. First outwards from the root: in each level that contains it,
/// until the lowest rank of every level around it has the data; then inwards everywhere else.
inline void native_broadcast(team& ranks, const message& what, int root) {
    const auto& path = ranks.path_of(root);
    const int around = static_cast<int>(path.size());
    for (int depth = around - 1; depth >= 0; --depth)
        if (ranks.members(depth))
            flat_broadcast(ranks.members(depth), what, path[static_cast<std::size_t>(depth)]);
    for (int depth = around; depth <= ranks.depth(); ++depth)
        if (ranks.members(depth)) flat_broadcast(ranks.members(depth), what, 0);
}

/// A copy of a rank's operands in the team's scratch memory, in which sums may grow.
inline message scratch_copy(team& ranks, const void* input, const message& like, const type_layout& layout) {
    message copy{ranks.scratch(layout.span(like.count)) - layout.true_lower, like.count, like.type};
    in_countable_pieces(like, [&](std::size_t first, int count) {
        copy_elements(layout.element(input, first), layout.element(copy.data, first), count, like.type);
    });
    return copy;
}

/// The MPI's own reduction from level to level: outwards to the lowest rank of each level that does not
/// contain the root, then along the levels that do, outermost first.
///
/// @pre the operation is commutative, or the root is 0 and every level an interval of ranks
inline void native_reduce_commutative(team& ranks, const message& sum, MPI_Op op, int root) {
    const auto& path = ranks.path_of(root);
    const int around = static_cast<int>(path.size());
    for (int depth = ranks.depth(); depth >= around; --depth)
        if (ranks.members(depth)) flat_reduce(ranks, ranks.members(depth), sum.data, sum, op, 0);
    for (int depth = 0; depth < around; ++depth)
        if (ranks.members(depth))
            flat_reduce(ranks, ranks.members(depth), sum.data, sum, op,
                        path[static_cast<std::size_t>(depth)]);
}

inline void native_reduce(team& all, const void* input, const message& result, combination how, int root) {
    team& ranks = how.is_commutative ? all : all.in_rank_order();
    const int end = how.is_commutative ? root : 0; // where the levels lead
    const type_layout layout{result.type};
    const message sum = scratch_copy(ranks, input, result, layout);
    native_reduce_commutative(ranks, sum, how.op, end);
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

/// Inwards sums to the lowest rank of each level, the outermost members' all-reduce, and the sum back
/// inwards.
inline void native_all_reduce(team& all, const void* input, const message& result, combination how) {
    team& ranks = how.is_commutative ? all : all.in_rank_order();
    const type_layout layout{result.type};
    if (input != result.data)
        in_countable_pieces(result, [&](std::size_t first, int count) {
            copy_elements(layout.element(input, first), layout.element(result.data, first), count,
                          result.type);
        });
    for (int depth = ranks.depth(); depth > 0; --depth)
        if (ranks.members(depth)) flat_reduce(ranks, ranks.members(depth), result.data, result, how.op, 0);
    if (ranks.members(0)) flat_all_reduce(ranks.members(0), result.data, result, how.op);
    for (int depth = 1; depth <= ranks.depth(); ++depth)
        if (ranks.members(depth)) flat_broadcast(ranks.members(depth), result, 0);
}

inline void flat_barrier(const boost::mpi::communicator& comm) {
    mpi::check(MPI_Barrier(comm), "MPI_Barrier", "barrier");
}

/// A barrier in each level from the innermost to the outermost, and back.
inline void native_barrier(team& ranks) {
    for (int depth = ranks.depth(); depth >= 0; --depth)
        if (ranks.members(depth)) flat_barrier(ranks.members(depth));
    for (int depth = 1; depth <= ranks.depth(); ++depth)
        if (ranks.members(depth)) flat_barrier(ranks.members(depth));
}

} // namespace topo::detail
