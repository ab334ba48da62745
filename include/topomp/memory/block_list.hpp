// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which parts of a piece of memory are taken, as plain numbers.
#pragma once

#include <cstddef>
#include <iterator>
#include <map>
#include <optional>

namespace topo::detail {

constexpr std::size_t round_up(std::size_t value, std::size_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

/// Divides a range of bytes into blocks: the first gap that is large enough is taken, and gaps beside each
/// other become one. Touches no memory.
class block_list {
public:
    explicit block_list(std::size_t bytes) {
        if (bytes > 0) gaps_.emplace(0, bytes);
    }

    struct block {
        std::size_t begin = 0; ///< of all that is taken
        std::size_t data = 0;  ///< a multiple of the alignment
        std::size_t end = 0;
    };

    /// @param lead bytes in front of the data that belong to the block
    std::optional<block> take(std::size_t bytes, std::size_t alignment, std::size_t lead) {
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

    /// @pre it was taken
    void give_back(const block& taken) {
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

    /// Bytes that are in no block.
    std::size_t free_bytes() const {
        std::size_t sum = 0;
        for (const auto& [begin, end] : gaps_)
            sum += end - begin;
        return sum;
    }
    std::size_t gaps() const noexcept { return gaps_.size(); }

private:
    std::map<std::size_t, std::size_t> gaps_; ///< from begin to end
};

} // namespace topo::detail
