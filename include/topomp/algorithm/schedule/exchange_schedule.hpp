// SPDX-License-Identifier: BSL-1.0
/// @file
/// Who exchanges what with whom, step by step, as pure functions of a position in a row of ranks.
#pragma once

#include <topomp/algorithm/schedule/folded_order.hpp>

#include <vector>

namespace topo::detail {

/// What becomes of parts that arrive.
enum class arrival {
    replaces, ///< what was there
    adds,     ///< to what is there, in any order
    before,   ///< is combined with what is there, as the left operand
    behind    ///< is combined with what is there, as the right operand
};

/// One step of one position: both directions at the same time.
struct exchange_step {
    static constexpr int nobody = -1;

    int to = nobody;
    part_range out;
    int from = nobody;
    part_range in;
    arrival arrives_as = arrival::replaces;
    /// Whether it begins together with the step before: a round. Of a round, what comes from before is
    /// combined first, then what the position has itself, then what comes from behind it, in the order of
    /// the steps.
    bool joins_last = false;
};

using exchange_schedule = std::vector<exchange_step>;

/// The second of each pair gives everything to the one that leads it.
void add_fold(const folded_order& rank_order, int position, exchange_schedule& steps,
              arrival arrives_as = arrival::adds);

/// The second of each pair gives its own part to the one that leads it.
void add_collection(const folded_order& rank_order, int position, exchange_schedule& steps);

/// The one that leads a pair gives some parts to the other.
void add_unfold(const folded_order& rank_order, int position, part_range what, exchange_schedule& steps);

/// Reduce-scatter among the leaders, in so many rounds: each splits what a rank adds up. With radix 2 this is
/// halving.
/// @see R. Thakur, R. Rabenseifner, W. Gropp: Optimization of Collective Communication Operations in MPICH
/// (2005), section 4
void add_halving(const folded_order& rank_order, int position, int rounds, exchange_schedule& steps);

/// All-gather among the leaders, the way back of so many rounds: each multiplies what a rank has.
void add_doubling(const folded_order& rank_order, int position, int rounds, exchange_schedule& steps);

/// The parts that each rank has after splitting, from the leader of a root's group: the longest way last.
void add_scatter(const folded_order& rank_order, int position, int root, exchange_schedule& steps);

/// Gather among the leaders to that of a root's group.
void add_gather(const folded_order& rank_order, int position, int root, exchange_schedule& steps);

/// All-reduce among the leaders in the rounds after the first so many, of what a rank has after these, whole
/// in each round. Operands meet in the order of positions, in the same way on all, so that all get the same
/// bits.
void add_whole_doubling(const folded_order& rank_order, int position, int splits, exchange_schedule& steps);

/// All-reduce of everything in each round: the fewest rounds. Operands meet in the order of positions. @pre
/// the first of each pair leads it
void add_ordered_doubling(const folded_order& rank_order, int position, exchange_schedule& steps);

/// Reduce-scatter around a ring of positions, whose parts lie in their order: each part travels once around,
/// and everybody on its way adds its own.
void add_ring_reduction(int size, int position, exchange_schedule& steps);

/// All-gather around the ring.
void add_ring_gather(int size, int position, exchange_schedule& steps);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/schedule/impl/exchange_schedule.ipp>
#endif
