// SPDX-License-Identifier: BSL-1.0
/// @file
/// A mixed-radix rank order with folding: groups that exchange in rounds, as pure functions of a position.
#pragma once

#include <topomp/algorithm/schedule/radices.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

/// Blocks of all ranks' data, from the first one to before the end.
struct part_range {
    int first = 0;
    int end = 0;
};

/// Any number of positions as groups whose number is a product of radices: as many pairs of neighbours at the
/// beginning as needed (folding). One of each pair, its leader, exchanges for both.
///
/// ```
///   positions   0 1 | 2 3 | 4 | 5        groups 0, 1, 2, 3, radices 2 and 2
///   slots       group 0, group 2, group 1, group 3: what a group has after halving with 1, then with 2
///   parts       of 0, 1, 4, 2, 3, 5
/// ```
///
/// All data is divided into one block for each position. A group's number has a digit for each radix, the
/// first for the nearest neighbours. Halving begins with these: most data is exchanged over the shortest
/// distance. So a group ends with the slot whose number has the group's digits reversed, and the blocks lie
/// in the order of slots.
class folded_order {
public:
    static constexpr int no_rank = -1;

    /// @param blocks see `radices` @param most ranks in a round
    /// @param chosen this position is the leader of its pair, if it is in one
    void set(int size, std::span<const int> blocks = {}, int most = 2, int chosen = 0);

    /// Bine: rounds of two groups whose distances are 1, -1, 3, -5, 11, ... for even groups, modulo their
    /// number, the opposite for odd ones, instead of 1, 2, 4, 8, 16. For halving and doubling only: two
    /// groups of a round may have different digits in later rounds.
    ///
    /// ```
    ///   8 groups   0-1 2-3 4-5 6-7, then 0-7 2-1 4-3 6-5, then 0-3 2-5 4-7 6-1
    /// ```
    void set_bine(int size);

    int size() const { return size_; }
    int groups() const { return groups_; }
    /// The number of rounds to exchange among all groups, and how many groups exchange in a round.
    int rounds() const { return static_cast<int>(radices_.all().size()); }
    int radix(int round) const { return radices_.all()[static_cast<std::size_t>(round)]; }
    int group_of(int position) const { return position < 2 * extra_ ? position / 2 : position - extra_; }
    int leader(int group) const;
    bool is_leader(int position) const { return leader(group_of(position)) == position; }
    /// The other position of a pair; none if the group is no pair.
    int follower(int group) const { return group < extra_ ? 4 * group + 1 - leader(group) : no_rank; }
    /// A group's digit in a round.
    int digit(int group, int round) const {
        if (is_bine())
            return bine_slots_[static_cast<std::size_t>(group)] / (groups_ / weight(round + 1)) % 2;
        return group / weight(round) % radix(round);
    }
    /// The group with the digit `digit` that exchanges with `group` in a round.
    int with_digit(int group, int round, int digit) const;

    /// The position that owns a block.
    int position_of(int part) const { return positions_[static_cast<std::size_t>(part)]; }
    part_range all() const { return {0, size_}; }
    /// A position's own block.
    part_range own(int position) const;
    /// The blocks that a group has after so many rounds of halving, and must have before the corresponding
    /// round of doubling.
    part_range held(int group, int splits) const;

private:
    int weight(int round) const { return radices_.weight(static_cast<std::size_t>(round)); }
    int backwards(int slot) const;
    void add_parts();

    bool is_bine() const { return !bine_slots_.empty(); }
    int bine_partner(int group, int round) const;
    /// Gives slots, the first one `slot`, to what a group reaches from a round on.
    void divide_bine(int group, int round, int slot);

    int size_ = 1, groups_ = 1, extra_ = 0, chosen_ = 0;
    radices radices_;
    std::vector<int> positions_;                ///< of the blocks
    std::vector<int> begin_;                    ///< of each slot's blocks, and the end
    std::vector<int> bine_slots_, bine_groups_; ///< of each group and of each slot, if it is Bine
};

/// Calls `f(group)` for the other groups of a round, beginning with the next one, so that not all send to the
/// same group first.
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
