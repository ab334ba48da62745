// SPDX-License-Identifier: BSL-1.0
/// @file
/// Broadcast, reduce, all-reduce and barrier as a loop over levels.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/levels/level_loop.hpp>
#include <topomp/core/detail/combination.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

namespace topo::detail {

/// First outwards from the root: in each level that contains it, until the lowest rank of every level around
/// it has the data; then inwards in all other levels.
void hierarchical_broadcast(context& ranks, const loop_plan& plan, const message& what, int root);

/// A rank's operands from level to level: in the caller's memory, until another rank's operands are combined
/// with them.
class growing_sum {
public:
    /// @param place where they are combined; without data: in the context's scratch memory, if they are
    growing_sum(context& ranks, const void* input, const message& place)
        : ranks_(ranks), current_(input), place_(place) {}

    void reduce(const level_loop::stop& at, MPI_Op op, int root);
    void all_reduce(const level_loop::stop& at, MPI_Op op);
    /// The operands in the place where they are combined, copied there if necessary.
    const message& in_place();

private:
    const message& place();

    context& ranks_;
    const void* current_;
    message place_;
};

/// To the lowest rank of each level that does not contain the root, then along the levels that do, outermost
/// first. @param sum each rank's operands; the root's becomes the result, the others' are overwritten
///
/// @pre the operation is commutative, or the root is 0 and every level an interval of ranks
void hierarchical_reduce(context& ranks, const loop_plan& plan, growing_sum& sum, MPI_Op op, int root);

void hierarchical_reduce(context& all_ranks, const loop_plan& plan, const void* input, const message& result,
                         combination combiner, int root);

/// Sums to the lowest rank of each level, the outermost members' all-reduce, and the sum back inwards.
void hierarchical_all_reduce(context& all_ranks, const loop_plan& plan, const void* input,
                             const message& result, combination combiner);

/// All ranks arrive in each level from the innermost to the outermost, and are released in the reverse order.
void hierarchical_barrier(context& ranks, const loop_plan& plan);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/levels/impl/hierarchical_operations.ipp>
#endif
