// SPDX-License-Identifier: BSL-1.0
/// @file
/// Where the blocks of all ranks lie in a window, and whose go together.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/copy_groups.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/hybrid/window_view.hpp>

#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace topo::detail {

/// How long the ranks' blocks are and where they begin.
class rank_blocks {
public:
    explicit rank_blocks(std::size_t count) : count_(count) {}
    /// @param positions room for one of each rank, which are found here
    rank_blocks(std::span<const std::size_t> counts, std::vector<std::size_t>& positions)
        : counts_(counts), positions_(positions) {
        positions.resize(counts.size());
        std::exclusive_scan(counts.begin(), counts.end(), positions.begin(), std::size_t{0});
        positions_ = positions;
    }

    std::size_t count(int rank) const {
        return counts_.empty() ? count_ : counts_[static_cast<std::size_t>(rank)];
    }
    std::size_t position(int rank) const {
        return counts_.empty() ? static_cast<std::size_t>(rank) * count_
                               : positions_[static_cast<std::size_t>(rank)];
    }

private:
    std::size_t count_ = 0;
    std::span<const std::size_t> counts_, positions_;
};

/// Where ranks' blocks begin, for one call.
struct block_positions {
    explicit block_positions(team&) {}
    std::vector<std::size_t> values;
};

/// What the groups' ranks of a stratum contribute: a rank that is in it for the second time, nothing.
inline blocks blocks_of_stratum(copy_groups& groups, int stratum, const rank_blocks& where,
                                const window_view& window) {
    const grouped_ranks& all = groups.everybody();
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
