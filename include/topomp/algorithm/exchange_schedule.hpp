// SPDX-License-Identifier: BSL-1.0
/// @file
/// Who exchanges what with whom, step by step, as pure functions of a position in a row of ranks.
#pragma once

#include <topomp/algorithm/folded_row.hpp>

#include <utility>
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
    arrival how = arrival::replaces;
    /// Whether it begins together with the step before: a round. Of a round, what comes from before is
    /// combined first, then what the position has itself, then what comes from behind it, in the order of
    /// the steps.
    bool joins_last = false;
};

using exchange_schedule = std::vector<exchange_step>;

/// The second of each pair gives everything to the one that leads it.
inline void add_fold(const folded_row& row, int position, exchange_schedule& steps,
                     arrival how = arrival::adds) {
    const int group = row.group_of(position), leader = row.leader(group), follower = row.follower(group);
    if (follower == folded_row::nobody) return;
    if (position == follower)
        steps.push_back({leader, row.all(), exchange_step::nobody, {}});
    else
        steps.push_back({exchange_step::nobody, {}, follower, row.all(), how});
}

/// The second of each pair gives its own part to the one that leads it.
inline void add_collection(const folded_row& row, int position, exchange_schedule& steps) {
    const int group = row.group_of(position), leader = row.leader(group), follower = row.follower(group);
    if (follower == folded_row::nobody) return;
    const part_range what = row.own(follower);
    if (position == follower)
        steps.push_back({leader, what, exchange_step::nobody, {}});
    else
        steps.push_back({exchange_step::nobody, {}, follower, what, arrival::replaces});
}

/// The one that leads a pair gives some parts to the other.
inline void add_unfold(const folded_row& row, int position, part_range what, exchange_schedule& steps) {
    const int group = row.group_of(position), leader = row.leader(group), follower = row.follower(group);
    if (follower == folded_row::nobody) return;
    if (position == leader)
        steps.push_back({follower, what, exchange_step::nobody, {}});
    else
        steps.push_back({exchange_step::nobody, {}, leader, what, arrival::replaces});
}

/// Reduce-scatter among the leaders, in so many rounds: each splits what a rank adds up. With radix 2 this is
/// halving.
/// @see R. Thakur, R. Rabenseifner, W. Gropp: Optimization of Collective Communication Operations in MPICH
/// (2005), section 4
inline void add_splitting(const folded_row& row, int position, int rounds, exchange_schedule& steps) {
    if (!row.is_leader(position)) return;
    const int group = row.group_of(position);
    for (int round = 0; round < rounds; ++round) {
        bool joins = false;
        for_round(row, group, round, [&](int other) {
            const int partner = row.leader(other);
            steps.push_back({partner, row.held(other, round + 1), partner, row.held(group, round + 1),
                             arrival::adds, std::exchange(joins, true)});
        });
    }
}

/// All-gather among the leaders, the way back of so many rounds: each multiplies what a rank has.
inline void add_multiplying(const folded_row& row, int position, int rounds, exchange_schedule& steps) {
    if (!row.is_leader(position)) return;
    const int group = row.group_of(position);
    for (int round = rounds - 1; round >= 0; --round) {
        bool joins = false;
        for_round(row, group, round, [&](int other) {
            const int partner = row.leader(other);
            steps.push_back({partner, row.held(group, round + 1), partner, row.held(other, round + 1),
                             arrival::replaces, std::exchange(joins, true)});
        });
    }
}

/// The parts that each rank has after splitting, from the leader of a root's group: the longest way last.
inline void add_scatter(const folded_row& row, int position, int root, exchange_schedule& steps) {
    if (!row.is_leader(position)) return;
    const int group = row.group_of(position), start = row.group_of(root);
    int differing = 0; // from this round on the group has the root's digits
    for (int round = 0; round < row.rounds(); ++round)
        if (row.digit(group, round) != row.digit(start, round)) differing = round + 1;
    if (differing > 0) {
        const int round = differing - 1;
        steps.push_back({exchange_step::nobody,
                         {},
                         row.leader(row.with_digit(group, round, row.digit(start, round))),
                         row.held(group, differing)});
    }
    for (int round = differing; round < row.rounds(); ++round) {
        bool joins = false;
        for_round(row, group, round, [&](int other) {
            steps.push_back({row.leader(other),
                             row.held(other, round + 1),
                             exchange_step::nobody,
                             {},
                             arrival::replaces,
                             std::exchange(joins, true)});
        });
    }
}

/// Gather among the leaders to that of a root's group.
inline void add_gather(const folded_row& row, int position, int root, exchange_schedule& steps) {
    if (!row.is_leader(position)) return;
    const int group = row.group_of(position), end = row.group_of(root);
    for (int round = row.rounds() - 1; round >= 0; --round) {
        const int collector = row.with_digit(group, round, row.digit(end, round));
        if (group != collector) {
            steps.push_back({row.leader(collector), row.held(group, round + 1), exchange_step::nobody, {}});
            return;
        }
        bool joins = false;
        for_round(row, group, round, [&](int other) {
            steps.push_back({exchange_step::nobody,
                             {},
                             row.leader(other),
                             row.held(other, round + 1),
                             arrival::replaces,
                             std::exchange(joins, true)});
        });
    }
}

/// All-reduce among the leaders in the rounds after the first so many, of what a rank has after these, whole
/// in each round. Operands meet in the order of positions, in the same way on all, so that all get the same
/// bits.
inline void add_whole_multiplying(const folded_row& row, int position, int splits, exchange_schedule& steps) {
    if (!row.is_leader(position)) return;
    const int group = row.group_of(position);
    const part_range parts = row.held(group, splits);
    for (int round = splits; round < row.rounds(); ++round) {
        bool joins = false;
        for_round(row, group, round, [&](int other) {
            const int partner = row.leader(other);
            steps.push_back({partner, parts, partner, parts,
                             other < group ? arrival::before : arrival::behind, std::exchange(joins, true)});
        });
    }
}

/// All-reduce of everything in each round: the fewest rounds. Operands meet in the order of positions. @pre
/// the first of each pair leads it
inline void add_ordered_multiplying(const folded_row& row, int position, exchange_schedule& steps) {
    add_fold(row, position, steps, arrival::behind);
    add_whole_multiplying(row, position, 0, steps);
    add_unfold(row, position, row.all(), steps);
}

/// Reduce-scatter around a ring of positions, whose parts lie in their order: each part travels once around,
/// and everybody on its way adds its own.
inline void add_ring_reduction(int size, int position, exchange_schedule& steps) {
    const int right = (position + 1) % size, left = (position + size - 1) % size;
    for (int k = 0; k + 1 < size; ++k) {
        const int out = (position + 2 * size - 1 - k) % size, in = (position + 2 * size - 2 - k) % size;
        steps.push_back({right, {out, out + 1}, left, {in, in + 1}, arrival::adds});
    }
}

/// All-gather around the ring.
inline void add_ring_gather(int size, int position, exchange_schedule& steps) {
    const int right = (position + 1) % size, left = (position + size - 1) % size;
    for (int k = 0; k + 1 < size; ++k) {
        const int out = (position + size - k) % size, in = (position + 2 * size - 1 - k) % size;
        steps.push_back({right, {out, out + 1}, left, {in, in + 1}, arrival::replaces});
    }
}

} // namespace topo::detail
