// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/memory/detail/block_list.hpp>

#include <cstddef>
#include <iterator>
#include <optional>

namespace topo::detail {

TOPOMP_INLINE block_list::block_list(std::size_t bytes) {
    if (bytes > 0) gaps_.emplace(0, bytes);
}

TOPOMP_INLINE std::optional<block_list::block> block_list::take(std::size_t bytes, std::size_t alignment,
                                                                std::size_t lead) {
    for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
        const auto [begin, end] = *gap;
        const std::size_t data = round_up(begin + lead, alignment);
        if (data > end || bytes > end - data) continue;
        const block taken{data - lead, data, data + bytes};
        gaps_.erase(gap);
        if (begin < taken.begin) gaps_.emplace(begin, taken.begin);
        if (taken.end < end) gaps_.emplace(taken.end, end);
        return taken;
    }
    return std::nullopt;
}

TOPOMP_INLINE void block_list::give_back(const block& taken) {
    std::size_t begin = taken.begin, end = taken.end;
    if (begin == end) return;
    const auto next = gaps_.lower_bound(begin);
    if (next != gaps_.end() && next->first == end) end = next->second;
    if (next != gaps_.begin()) {
        const auto before = std::prev(next);
        if (before->second == begin) begin = before->first;
    }
    gaps_.erase(taken.end);
    gaps_.insert_or_assign(begin, end);
}

TOPOMP_INLINE std::size_t block_list::free_bytes() const {
    std::size_t sum = 0;
    for (const auto& [begin, end] : gaps_)
        sum += end - begin;
    return sum;
}

} // namespace topo::detail
