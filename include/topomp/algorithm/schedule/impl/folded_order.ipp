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

TOPOMP_INLINE int folded_order::leader(int group) const {
    if (group >= extra_) return group + extra_;
    return chosen_ == 2 * group + 1 ? chosen_ : 2 * group;
}

TOPOMP_INLINE int folded_order::with_digit(int group, int round, int digit) const {
    return group + (digit - this->digit(group, round)) * weight(round);
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
    int group = 0, slots = groups_;
    for (int round = 0; round < rounds(); ++round) {
        slots /= radix(round);
        group += slot / slots * weight(round);
        slot %= slots;
    }
    return group;
}

} // namespace topo::detail
