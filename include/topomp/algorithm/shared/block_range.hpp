// SPDX-License-Identifier: BSL-1.0
/// @file
/// Ranges of elements, blocks or columns, and their parts.
#pragma once

#include <algorithm>
#include <cstddef>

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

/// Copies what parts have of a range. @param of `of(number)`, the range of a part
/// @param sums `sums(number)`, where its first block is
template <class Block, class RangeOf, class SumsOf>
void gather_blocks(int parts, RangeOf of, SumsOf sums, const block_range& mine, Block* to) {
    for (int number = 0; number < parts; ++number) {
        const block_range theirs = of(number);
        const std::size_t first = std::max(theirs.begin, mine.begin), end = std::min(theirs.end, mine.end);
        if (first < end) to = std::copy_n(sums(number) + (first - theirs.begin), end - first, to);
    }
}

} // namespace topo::detail
