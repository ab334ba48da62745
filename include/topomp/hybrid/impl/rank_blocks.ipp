// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/detail/rank_blocks.hpp>
#include <topomp/hybrid/window_view.hpp>

#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace topo::detail {

/// Where ranks' blocks begin, for one call.
struct block_positions {
    explicit block_positions(context&) {}
    std::vector<std::size_t> values;
};

TOPOMP_INLINE rank_blocks::rank_blocks(std::span<const std::size_t> counts,
                                       std::vector<std::size_t>& positions)
    : counts_(counts), positions_(positions) {
    positions.resize(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), positions.begin(), std::size_t{0});
    positions_ = positions;
}

TOPOMP_INLINE std::size_t rank_blocks::count(int rank) const {
    return counts_.empty() ? count_ : counts_[static_cast<std::size_t>(rank)];
}

TOPOMP_INLINE std::size_t rank_blocks::position(int rank) const {
    return counts_.empty() ? static_cast<std::size_t>(rank) * count_
                           : positions_[static_cast<std::size_t>(rank)];
}

TOPOMP_INLINE rank_blocks blocks_of_counts(const hierarchy& levels, const integers& counts) {
    return {counts, context::of(levels).attached<block_positions>().values};
}

TOPOMP_INLINE blocks blocks_of_stratum(copy_groups& groups, int stratum, const rank_blocks& where,
                                       const window_view& window) {
    const grouped_ranks& all = groups.all_ranks();
    auto &counts = groups.counts(), &positions = groups.positions();
    counts.clear();
    positions.clear();
    for (int group = 0; group < groups.groups(); ++group) {
        const bool is_first_time = stratum < all.size(group);
        const int rank = all.at(group, is_first_time ? stratum : 0);
        counts.push_back(is_first_time ? where.count(rank) : 0);
        positions.push_back(where.position(rank));
    }
    return {window.all.data, window.all.type, 0, counts, positions};
}

} // namespace topo::detail
