// SPDX-License-Identifier: BSL-1.0
/// @file
/// An allocator of a range of memory, as plain numbers.
#pragma once

#include <topomp/memory/detail/lent_block.hpp>

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
    explicit block_list(std::size_t bytes);

    using block = taken_bytes;

    /// @param lead bytes in front of the data that belong to the block
    std::optional<block> take(std::size_t bytes, std::size_t alignment, std::size_t lead);

    /// @pre it was taken
    void give_back(const block& taken);

    /// Bytes that are in no block.
    std::size_t free_bytes() const;
    std::size_t gaps() const noexcept { return gaps_.size(); }

private:
    std::map<std::size_t, std::size_t> gaps_; ///< from begin to end
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/memory/impl/block_list.ipp>
#endif
