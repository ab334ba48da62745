// SPDX-License-Identifier: BSL-1.0
/// @file
/// A row of ranks as groups that meet in rounds, as pure functions of a position.
#pragma once

#include <topomp/algorithm/schedule/radices.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

/// Parts of everybody's data, from the first one to before the end.
struct part_range {
    int first = 0;
    int end = 0;
};

/// A row of any number of positions as groups whose number is a product of radices: as many pairs of
/// neighbours at its beginning as needed. One of each pair, its leader, exchanges for both.
///
/// ```
///   positions   0 1 | 2 3 | 4 | 5        groups 0, 1, 2, 3, radices 2 and 2
///   slots       group 0, group 2, group 1, group 3: what a group holds after halving with 1, then with 2
///   parts       of 0, 1, 4, 2, 3, 5
/// ```
///
/// Everybody's data is cut into one part for each position. A group's number has a digit for each radix, the
/// first for the nearest neighbours. Splitting begins with these: most data goes the shortest way. So a group
/// ends with the slot whose number has its digits backwards, and the parts lie in the order of slots.
class folded_order {
public:
    static constexpr int nobody = -1;

    /// @param blocks see `radices` @param most ranks in a round
    /// @param chosen this position leads its pair, if it is in one
    void set(int size, std::span<const int> blocks = {}, int most = 2, int chosen = 0);

    int size() const { return size_; }
    int groups() const { return groups_; }
    /// Rounds to exchange among all groups, and how many groups meet in one.
    int rounds() const { return static_cast<int>(radices_.all().size()); }
    int radix(int round) const { return radices_.all()[static_cast<std::size_t>(round)]; }
    int group_of(int position) const { return position < 2 * extra_ ? position / 2 : position - extra_; }
    int leader(int group) const;
    bool is_leader(int position) const { return leader(group_of(position)) == position; }
    /// The other one of a pair; nobody if the group is no pair.
    int follower(int group) const { return group < extra_ ? 4 * group + 1 - leader(group) : nobody; }
    /// Which of those that meet in a round a group is.
    int digit(int group, int round) const { return group / weight(round) % radix(round); }
    /// The group that meets `group` in a round as number `digit`.
    int with_digit(int group, int round, int digit) const;

    /// Whose part it is.
    int position_of(int part) const { return positions_[static_cast<std::size_t>(part)]; }
    part_range all() const { return {0, size_}; }
    /// A position's own part.
    part_range own(int position) const;
    /// The parts that a group has after so many rounds of splitting, and must have before as many of
    /// multiplying less one.
    part_range held(int group, int splits) const;

private:
    int weight(int round) const { return radices_.weight(static_cast<std::size_t>(round)); }
    int backwards(int slot) const;

    int size_ = 1, groups_ = 1, extra_ = 0, chosen_ = 0;
    radices radices_;
    std::vector<int> positions_; ///< of the parts
    std::vector<int> begin_;     ///< of each slot's parts, and the end
};

/// Calls `f(group)` for the others that meet a group in a round, beginning behind it, so that not all send to
/// the same one first.
template <class F>
void for_round(const folded_order& rank_order, int group, int round, F f) {
    const int radix = rank_order.radix(round), own = rank_order.digit(group, round);
    for (int k = 1; k < radix; ++k)
        f(rank_order.with_digit(group, round, (own + k) % radix));
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/schedule/impl/folded_order.ipp>
#endif
