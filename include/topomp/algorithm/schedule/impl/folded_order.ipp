// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/schedule/folded_order.hpp>
#include <topomp/algorithm/schedule/radices.hpp>
#include <topomp/core/detail/inline.hpp>

#include <cstddef>
#include <span>

namespace topo::detail {

TOPOMP_INLINE void folded_order::set(int size, std::span<const int> blocks, int most, int chosen) {
    size_ = size;
    radices_ = radices{size, blocks, most};
    groups_ = radices_.product();
    extra_ = size - groups_;
    chosen_ = chosen;
    bine_slots_.clear();
    add_parts();
}

TOPOMP_INLINE void folded_order::set_bine(int size) {
    set(size);
    bine_slots_.resize(static_cast<std::size_t>(groups_));
    bine_groups_.resize(bine_slots_.size());
    divide_bine(0, 0, 0);
    add_parts();
}

TOPOMP_INLINE void folded_order::add_parts() {
    positions_.clear();
    begin_.clear();
    for (int slot = 0; slot < groups(); ++slot) {
        const int group = backwards(slot);
        begin_.push_back(static_cast<int>(positions_.size()));
        positions_.push_back(leader(group));
        if (group < extra_) positions_.push_back(follower(group));
    }
    begin_.push_back(size_);
}

TOPOMP_INLINE int folded_order::bine_partner(int group, int round) const {
    int distance = 1;
    for (int k = 0; k < round; ++k)
        distance = 1 - 2 * distance;
    const int other = (group % 2 == 0 ? group + distance : group - distance) % groups_;
    return other < 0 ? other + groups_ : other;
}

TOPOMP_INLINE void folded_order::divide_bine(int group, int round, int slot) {
    if (round == rounds()) {
        bine_slots_[static_cast<std::size_t>(group)] = slot;
        bine_groups_[static_cast<std::size_t>(slot)] = group;
        return;
    }
    divide_bine(group, round + 1, slot);
    divide_bine(bine_partner(group, round), round + 1, slot + groups_ / weight(round + 1));
}

TOPOMP_INLINE int folded_order::leader(int group) const {
    if (group >= extra_) return group + extra_;
    return chosen_ == 2 * group + 1 ? chosen_ : 2 * group;
}

TOPOMP_INLINE int folded_order::with_digit(int group, int round, int digit) const {
    const int own = this->digit(group, round);
    if (is_bine()) return digit == own ? group : bine_partner(group, round);
    return group + (digit - own) * weight(round);
}

TOPOMP_INLINE part_range folded_order::own(int position) const {
    const int group = group_of(position), first = held(group, rounds()).first;
    return leader(group) == position ? part_range{first, first + 1} : part_range{first + 1, first + 2};
}

TOPOMP_INLINE part_range folded_order::held(int group, int splits) const {
    int slot = 0, slots = groups_;
    for (int round = 0; round < splits; ++round) {
        slots /= radix(round);
        slot += digit(group, round) * slots;
    }
    return {begin_[static_cast<std::size_t>(slot)], begin_[static_cast<std::size_t>(slot + slots)]};
}

TOPOMP_INLINE int folded_order::backwards(int slot) const {
    if (is_bine()) return bine_groups_[static_cast<std::size_t>(slot)];
    int group = 0, slots = groups_;
    for (int round = 0; round < rounds(); ++round) {
        slots /= radix(round);
        group += slot / slots * weight(round);
        slot %= slots;
    }
    return group;
}

} // namespace topo::detail
