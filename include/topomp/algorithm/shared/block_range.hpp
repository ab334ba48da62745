// SPDX-License-Identifier: BSL-1.0
/// @file
/// Ranges of elements, blocks or columns, and their parts.
#pragma once

#include <topomp/core/detail/copy_bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace topo::detail {

struct block_range {
    std::size_t begin = 0, end = 0;

    std::size_t length() const { return end - begin; }

    /// One of so many parts of nearly one length.
    block_range part(int number, int parts) const {
        const auto begin_of = [&](int which) {
            return begin + length() * static_cast<std::size_t>(which) / static_cast<std::size_t>(parts);
        };
        return {begin_of(number), begin_of(number + 1)};
    }
};

/// Calls `f(number, first in the part, first in the range, count)` for the parts that have something of a
/// range. @param of `of(number)`, the range of a part
template <class RangeOf, class F>
void for_overlaps(int parts, RangeOf of, const block_range& mine, F f) {
    for (int number = 0; number < parts; ++number) {
        const block_range theirs = of(number);
        const std::size_t first = std::max(theirs.begin, mine.begin), end = std::min(theirs.end, mine.end);
        if (first < end) f(number, first - theirs.begin, first - mine.begin, end - first);
    }
}

/// Copies what parts have of a range. @param of as above @param sums
/// `sums(number)`, where a part's first block is
template <class Block, class RangeOf, class SumsOf>
void gather_blocks(int parts, RangeOf of, SumsOf sums, const block_range& mine, Block* to) {
    static_assert(std::is_trivially_copyable_v<Block>);
    for_overlaps(parts, of, mine,
                 [&](int number, std::size_t in_part, std::size_t in_mine, std::size_t count) {
                     copy_bytes(to + in_mine, sums(number) + in_part, count * sizeof(Block));
                 });
}

} // namespace topo::detail
