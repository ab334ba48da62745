// SPDX-License-Identifier: BSL-1.0
/// @file
/// Who exchanges what with whom, step by step, as pure functions of a position in a row of ranks.
#pragma once

#include <cstddef>
#include <vector>

namespace topo::detail {

/// Parts of everybody's data, from the first one to before the end.
struct part_range {
    int first = 0;
    int end = 0;
};

/// What becomes of parts that arrive.
enum class arrival {
    replaces, ///< what was there
    adds,     ///< to what is there, in any order
    before,   ///< is combined with what is there, as the left operand
    behind    ///< is combined with what is there, as the right operand; only with all parts
};

/// One step of one position: both directions at the same time.
struct exchange_step {
    static constexpr int nobody = -1;

    int to = nobody;
    part_range out;
    int from = nobody;
    part_range in;
    arrival how = arrival::replaces;
};

using exchange_schedule = std::vector<exchange_step>;

/// A row of any number of positions as groups whose number is a power of two: as many pairs of neighbours at
/// its beginning as needed. One of each pair, its leader, exchanges for both.
///
/// ```
///   positions   0 1 | 2 3 | 4 | 5        groups 0, 1, 2, 3
///   slots       group 0, group 2, group 1, group 3: what a group holds after halving with 1, then with 2
///   parts       of 0, 1, 4, 2, 3, 5
/// ```
///
/// Everybody's data is cut into one part for each position. Halving exchanges with the neighbour first: most
/// data goes the shortest way. So a group ends with the slot whose number has its bits backwards, and the
/// parts lie in the order of slots.
class folded_row {
public:
    /// @param chosen this position leads its pair, if it is in one
    void set(int size, int chosen = 0) {
        size_ = size;
        steps_ = 0;
        while (size >> steps_ > 1)
            ++steps_;
        extra_ = size - (1 << steps_);
        chosen_ = chosen;
        positions_.clear();
        begin_.clear();
        for (int slot = 0; slot < groups(); ++slot) {
            const int group = backwards(slot);
            begin_.push_back(static_cast<int>(positions_.size()));
            positions_.push_back(leader(group));
            if (group < extra_) positions_.push_back(follower(group));
        }
        begin_.push_back(size);
    }

    int size() const { return size_; }
    int groups() const { return 1 << steps_; }
    /// log2 of the number of groups.
    int steps() const { return steps_; }
    int group_of(int position) const { return position < 2 * extra_ ? position / 2 : position - extra_; }
    int leader(int group) const {
        if (group >= extra_) return group + extra_;
        return chosen_ == 2 * group + 1 ? chosen_ : 2 * group;
    }
    bool is_leader(int position) const { return leader(group_of(position)) == position; }
    /// The other one of a pair; nobody if the group is no pair.
    int follower(int group) const {
        return group < extra_ ? 4 * group + 1 - leader(group) : exchange_step::nobody;
    }

    /// Whose part it is.
    int position_of(int part) const { return positions_[static_cast<std::size_t>(part)]; }
    part_range all() const { return {0, size_}; }
    /// A position's own part.
    part_range own(int position) const {
        const int group = group_of(position), first = held(group, steps_).first;
        return leader(group) == position ? part_range{first, first + 1} : part_range{first + 1, first + 2};
    }
    /// The parts that a group has after so many halvings, and must have before as many doublings less one.
    part_range held(int group, int halvings) const {
        int slot = 0;
        for (int k = 0; k < halvings; ++k)
            slot += (group >> k & 1) << (steps_ - 1 - k);
        const int end = slot + (1 << (steps_ - halvings));
        return {begin_[static_cast<std::size_t>(slot)], begin_[static_cast<std::size_t>(end)]};
    }

private:
    int backwards(int slot) const {
        int group = 0;
        for (int k = 0; k < steps_; ++k)
            group |= (slot >> k & 1) << (steps_ - 1 - k);
        return group;
    }

    int size_ = 1, steps_ = 0, extra_ = 0, chosen_ = 0;
    std::vector<int> positions_; ///< of the parts
    std::vector<int> begin_;     ///< of each slot's parts, and the end
};

/// The second of each pair gives everything to the one that leads it.
inline void add_fold(const folded_row& row, int position, exchange_schedule& steps,
                     arrival how = arrival::adds) {
    const int group = row.group_of(position), leader = row.leader(group), follower = row.follower(group);
    if (follower == exchange_step::nobody) return;
    if (position == follower)
        steps.push_back({leader, row.all(), exchange_step::nobody, {}, arrival::replaces});
    else
        steps.push_back({exchange_step::nobody, {}, follower, row.all(), how});
}

/// The second of each pair gives its own part to the one that leads it.
inline void add_collection(const folded_row& row, int position, exchange_schedule& steps) {
    const int group = row.group_of(position), leader = row.leader(group), follower = row.follower(group);
    if (follower == exchange_step::nobody) return;
    const part_range what = row.own(follower);
    if (position == follower)
        steps.push_back({leader, what, exchange_step::nobody, {}, arrival::replaces});
    else
        steps.push_back({exchange_step::nobody, {}, follower, what, arrival::replaces});
}

/// The one that leads a pair gives some parts to the other.
inline void add_unfold(const folded_row& row, int position, part_range what, exchange_schedule& steps) {
    const int group = row.group_of(position), leader = row.leader(group), follower = row.follower(group);
    if (follower == exchange_step::nobody) return;
    if (position == leader)
        steps.push_back({follower, what, exchange_step::nobody, {}, arrival::replaces});
    else
        steps.push_back({exchange_step::nobody, {}, leader, what, arrival::replaces});
}

/// Reduce-scatter among the leaders: every step halves what a rank adds up. @see R. Thakur, R. Rabenseifner,
/// W. Gropp: Optimization of Collective Communication Operations in MPICH (2005), section 4
inline void add_halving(const folded_row& row, int position, exchange_schedule& steps) {
    if (!row.is_leader(position)) return;
    const int group = row.group_of(position);
    for (int k = 0; k < row.steps(); ++k) {
        const int other = group ^ (1 << k), partner = row.leader(other);
        steps.push_back({partner, row.held(other, k + 1), partner, row.held(group, k + 1), arrival::adds});
    }
}

/// All-gather among the leaders: every step doubles what a rank has.
inline void add_doubling(const folded_row& row, int position, exchange_schedule& steps) {
    if (!row.is_leader(position)) return;
    const int group = row.group_of(position);
    for (int k = row.steps() - 1; k >= 0; --k) {
        const int other = group ^ (1 << k), partner = row.leader(other);
        steps.push_back(
            {partner, row.held(group, k + 1), partner, row.held(other, k + 1), arrival::replaces});
    }
}

/// Gather among the leaders to that of a root's group.
inline void add_gather(const folded_row& row, int position, int root, exchange_schedule& steps) {
    if (!row.is_leader(position)) return;
    const int group = row.group_of(position), end = row.group_of(root);
    for (int k = row.steps() - 1; k >= 0; --k) {
        const int other = group ^ (1 << k), partner = row.leader(other);
        if ((group >> k & 1) != (end >> k & 1)) {
            steps.push_back({partner, row.held(group, k + 1), exchange_step::nobody, {}, arrival::replaces});
            return;
        }
        steps.push_back({exchange_step::nobody, {}, partner, row.held(other, k + 1), arrival::replaces});
    }
}

/// All-reduce of everything in each step: the fewest steps. Operands meet in the order of positions, in the
/// same way on all, so that all get the same bits. @pre the first of each pair leads it
inline void add_whole_doubling(const folded_row& row, int position, exchange_schedule& steps) {
    add_fold(row, position, steps, arrival::behind);
    if (row.is_leader(position)) {
        const int group = row.group_of(position);
        for (int k = 0; k < row.steps(); ++k) {
            const int other = group ^ (1 << k), partner = row.leader(other);
            steps.push_back(
                {partner, row.all(), partner, row.all(), other < group ? arrival::before : arrival::behind});
        }
    }
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
