// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <cstddef>
#include <span>

namespace topo {

TOPOMP_INLINE message blocks::run_of(std::span<const int> ranks, const detail::type_layout& layout) const {
    message run = block_of(ranks.front(), layout);
    for (std::size_t i = 1; i < ranks.size(); ++i) {
        if (position_of(ranks[i]) != position_of(ranks[i - 1]) + count_of(ranks[i - 1])) return {};
        run.count += count_of(ranks[i]);
    }
    return run;
}

} // namespace topo

namespace topo::detail {

TOPOMP_INLINE blocks with_positions(const blocks& all) {
    blocks result = all;
    if (all.positions.empty()) result.positions = integers::sums_before(all.counts);
    return result;
}

TOPOMP_INLINE std::size_t total_bytes(const blocks& all, int ranks) {
    std::size_t elements = 0;
    for (int rank = 0; rank < ranks; ++rank)
        elements += all.count_of(rank);
    return elements * type_layout{all.type}.size;
}

} // namespace topo::detail
