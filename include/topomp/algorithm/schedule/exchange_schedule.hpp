// SPDX-License-Identifier: BSL-1.0
/// @file
/// Schedules of exchanges, step by step, as pure functions of a position in a rank order.
#pragma once

#include <topomp/algorithm/schedule/folded_order.hpp>

#include <vector>

namespace topo::detail {

/// What is done with blocks that arrive.
enum class arrival {
    replaces, ///< what was there
    adds,     ///< to what is there, in any order
    before,   ///< combined with what is there, as the left operand
    behind    ///< combined with what is there, as the right operand
};

/// One step of one position: both directions at the same time.
struct exchange_step {
    static constexpr int no_rank = -1;

    int to = no_rank;
    part_range out;
    int from = no_rank;
    part_range in;
    arrival arrives_as = arrival::replaces;
    /// Whether it begins at the same time as the step before: steps of one round. In a round, operands from
    /// lower positions are combined first, then the position's own, then those from higher positions, in the
    /// order of the steps.
    bool joins_last = false;
};

using exchange_schedule = std::vector<exchange_step>;

/// The second of each pair sends all data to the pair's leader.
void add_fold(const folded_order& rank_order, int position, exchange_schedule& steps,
              arrival arrives_as = arrival::adds);

/// The second of each pair sends its own block to the pair's leader.
void add_collection(const folded_order& rank_order, int position, exchange_schedule& steps);

/// The leader of a pair sends some blocks to the other.
void add_unfold(const folded_order& rank_order, int position, part_range what, exchange_schedule& steps);

/// Reduce-scatter among the leaders, in so many rounds: each divides what a rank reduces by the radix. With
/// radix 2 this is recursive halving.
/// @see R. Thakur, R. Rabenseifner, W. Gropp: Optimization of Collective Communication Operations in MPICH
/// (2005), section 4
void add_halving(const folded_order& rank_order, int position, int rounds, exchange_schedule& steps);

/// All-gather among the leaders, the reverse of so many rounds: each multiplies what a rank has by the radix.
void add_doubling(const folded_order& rank_order, int position, int rounds, exchange_schedule& steps);

/// Scatters the blocks that each rank has after halving, from the leader of a root's group: the farthest
/// ranks last.
void add_scatter(const folded_order& rank_order, int position, int root, exchange_schedule& steps);

/// Gather among the leaders to that of a root's group.
void add_gather(const folded_order& rank_order, int position, int root, exchange_schedule& steps);

/// All-reduce among the leaders in the rounds after the first so many, of what a rank has after these, whole
/// in each round. Operands are combined in the order of positions, identically on all ranks, so that all get
/// the same bits.
void add_whole_doubling(const folded_order& rank_order, int position, int splits, exchange_schedule& steps);

/// All-reduce by exchanging all data in each round (recursive doubling): the fewest rounds. Operands are
/// combined in the order of positions. @pre the first of each pair is its leader
void add_ordered_doubling(const folded_order& rank_order, int position, exchange_schedule& steps);

/// Reduce-scatter around a ring of positions, whose blocks lie in their order: each block goes once around,
/// and each rank combines its own operand with it.
void add_ring_reduction(int size, int position, exchange_schedule& steps);

/// All-gather around the ring.
void add_ring_gather(int size, int position, exchange_schedule& steps);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/schedule/impl/exchange_schedule.ipp>
#endif
