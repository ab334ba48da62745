// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/schedule/exchange_schedule.hpp>
#include <topomp/algorithm/schedule/folded_order.hpp>
#include <topomp/core/detail/inline.hpp>

#include <utility>

namespace topo::detail {

TOPOMP_INLINE void add_fold(const folded_order& rank_order, int position, exchange_schedule& steps,
                            arrival arrives_as) {
    const int group = rank_order.group_of(position), leader = rank_order.leader(group),
              follower = rank_order.follower(group);
    if (follower == folded_order::no_rank) return;
    if (position == follower)
        steps.push_back({leader, rank_order.all(), exchange_step::no_rank, {}});
    else
        steps.push_back({exchange_step::no_rank, {}, follower, rank_order.all(), arrives_as});
}

TOPOMP_INLINE void add_collection(const folded_order& rank_order, int position, exchange_schedule& steps) {
    const int group = rank_order.group_of(position), leader = rank_order.leader(group),
              follower = rank_order.follower(group);
    if (follower == folded_order::no_rank) return;
    const part_range what = rank_order.own(follower);
    if (position == follower)
        steps.push_back({leader, what, exchange_step::no_rank, {}});
    else
        steps.push_back({exchange_step::no_rank, {}, follower, what, arrival::replaces});
}

TOPOMP_INLINE void add_unfold(const folded_order& rank_order, int position, part_range what,
                              exchange_schedule& steps) {
    const int group = rank_order.group_of(position), leader = rank_order.leader(group),
              follower = rank_order.follower(group);
    if (follower == folded_order::no_rank) return;
    if (position == leader)
        steps.push_back({follower, what, exchange_step::no_rank, {}});
    else
        steps.push_back({exchange_step::no_rank, {}, leader, what, arrival::replaces});
}

TOPOMP_INLINE void add_halving(const folded_order& rank_order, int position, int rounds,
                               exchange_schedule& steps) {
    if (!rank_order.is_leader(position)) return;
    const int group = rank_order.group_of(position);
    for (int round = 0; round < rounds; ++round) {
        bool joins = false;
        for_round(rank_order, group, round, [&](int other) {
            const int partner = rank_order.leader(other);
            steps.push_back({partner, rank_order.held(other, round + 1), partner,
                             rank_order.held(group, round + 1), arrival::adds, std::exchange(joins, true)});
        });
    }
}

TOPOMP_INLINE void add_doubling(const folded_order& rank_order, int position, int rounds,
                                exchange_schedule& steps) {
    if (!rank_order.is_leader(position)) return;
    const int group = rank_order.group_of(position);
    for (int round = rounds - 1; round >= 0; --round) {
        bool joins = false;
        for_round(rank_order, group, round, [&](int other) {
            const int partner = rank_order.leader(other);
            steps.push_back({partner, rank_order.held(group, round + 1), partner,
                             rank_order.held(other, round + 1), arrival::replaces,
                             std::exchange(joins, true)});
        });
    }
}

TOPOMP_INLINE void add_scatter(const folded_order& rank_order, int position, int root,
                               exchange_schedule& steps) {
    if (!rank_order.is_leader(position)) return;
    const int group = rank_order.group_of(position), start = rank_order.group_of(root);
    int differing = 0; // from this round on the group has the root's digits
    for (int round = 0; round < rank_order.rounds(); ++round)
        if (rank_order.digit(group, round) != rank_order.digit(start, round)) differing = round + 1;
    if (differing > 0) {
        const int round = differing - 1;
        steps.push_back(
            {exchange_step::no_rank,
             {},
             rank_order.leader(rank_order.with_digit(group, round, rank_order.digit(start, round))),
             rank_order.held(group, differing)});
    }
    for (int round = differing; round < rank_order.rounds(); ++round) {
        bool joins = false;
        for_round(rank_order, group, round, [&](int other) {
            steps.push_back({rank_order.leader(other),
                             rank_order.held(other, round + 1),
                             exchange_step::no_rank,
                             {},
                             arrival::replaces,
                             std::exchange(joins, true)});
        });
    }
}

TOPOMP_INLINE void add_gather(const folded_order& rank_order, int position, int root,
                              exchange_schedule& steps) {
    if (!rank_order.is_leader(position)) return;
    const int group = rank_order.group_of(position), end = rank_order.group_of(root);
    for (int round = rank_order.rounds() - 1; round >= 0; --round) {
        const int collector = rank_order.with_digit(group, round, rank_order.digit(end, round));
        if (group != collector) {
            steps.push_back({rank_order.leader(collector),
                             rank_order.held(group, round + 1),
                             exchange_step::no_rank,
                             {}});
            return;
        }
        bool joins = false;
        for_round(rank_order, group, round, [&](int other) {
            steps.push_back({exchange_step::no_rank,
                             {},
                             rank_order.leader(other),
                             rank_order.held(other, round + 1),
                             arrival::replaces,
                             std::exchange(joins, true)});
        });
    }
}

TOPOMP_INLINE void add_whole_doubling(const folded_order& rank_order, int position, int splits,
                                      exchange_schedule& steps) {
    if (!rank_order.is_leader(position)) return;
    const int group = rank_order.group_of(position);
    const part_range parts = rank_order.held(group, splits);
    for (int round = splits; round < rank_order.rounds(); ++round) {
        bool joins = false;
        for_round(rank_order, group, round, [&](int other) {
            const int partner = rank_order.leader(other);
            steps.push_back({partner, parts, partner, parts,
                             other < group ? arrival::before : arrival::behind, std::exchange(joins, true)});
        });
    }
}

TOPOMP_INLINE void add_ordered_doubling(const folded_order& rank_order, int position,
                                        exchange_schedule& steps) {
    add_fold(rank_order, position, steps, arrival::behind);
    add_whole_doubling(rank_order, position, 0, steps);
    add_unfold(rank_order, position, rank_order.all(), steps);
}

TOPOMP_INLINE void add_ring_reduction(int size, int position, exchange_schedule& steps) {
    const int right = (position + 1) % size, left = (position + size - 1) % size;
    for (int k = 0; k + 1 < size; ++k) {
        const int out = (position + 2 * size - 1 - k) % size, in = (position + 2 * size - 2 - k) % size;
        steps.push_back({right, {out, out + 1}, left, {in, in + 1}, arrival::adds});
    }
}

TOPOMP_INLINE void add_ring_gather(int size, int position, exchange_schedule& steps) {
    const int right = (position + 1) % size, left = (position + size - 1) % size;
    for (int k = 0; k + 1 < size; ++k) {
        const int out = (position + size - k) % size, in = (position + 2 * size - 1 - k) % size;
        steps.push_back({right, {out, out + 1}, left, {in, in + 1}, arrival::replaces});
    }
}

} // namespace topo::detail
