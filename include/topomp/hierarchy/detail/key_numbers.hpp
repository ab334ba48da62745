// SPDX-License-Identifier: BSL-1.0
/// @file
/// Numbers of hardware objects by their keys, for millions of them.
#pragma once

#include <topomp/hierarchy/detail/trail.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace topo::detail {

/// A hash table with open addressing in one piece of memory: a million ranks have some millions of objects,
/// and of a node for each the allocation takes longer than the rest. Keys are mixed already, and so their own
/// hash.
class key_numbers {
public:
    /// @param expected how many keys there will be, about
    explicit key_numbers(std::size_t expected)
        : slots_(std::bit_ceil(std::max<std::size_t>(16, expected / 2 * 3))) {}

    /// The number of a key, which becomes `next` if it has none yet; and whether it is new.
    /// @param next not 0
    std::pair<std::uint32_t, bool> number(object_key key, std::uint32_t next) {
        if (used_ > slots_.size() / 4 * 3) grow();
        slot& at = find(key);
        const bool is_new = at.number == 0;
        if (is_new) {
            at = {key, next};
            ++used_;
        }
        return {at.number, is_new};
    }

private:
    struct slot {
        object_key key;
        std::uint32_t number = 0; ///< 0: it is free
    };

    /// The slot of a key, or the one where it belongs.
    slot& find(object_key key) {
        for (std::size_t i = key.low;; ++i) {
            slot& at = slots_[i & (slots_.size() - 1)];
            if (at.number == 0 || at.key == key) return at;
        }
    }

    void grow() {
        std::vector<slot> smaller(2 * slots_.size());
        smaller.swap(slots_);
        for (const slot& each : smaller)
            if (each.number != 0) find(each.key) = each;
    }

    std::vector<slot> slots_;
    std::size_t used_ = 0;
};

} // namespace topo::detail
