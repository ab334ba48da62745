// SPDX-License-Identifier: BSL-1.0
/// @file
/// Where the blocks of all ranks lie in a window, and whose go together.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/core/integers.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/window_view.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

class copy_groups;

/// How long the ranks' blocks are and where they begin.
class rank_blocks {
public:
    explicit rank_blocks(std::size_t count) : count_(count) {}
    /// @param positions room for one of each rank, which are found here
    rank_blocks(std::span<const std::size_t> counts, std::vector<std::size_t>& positions);

    std::size_t count(int rank) const;
    std::size_t position(int rank) const;

private:
    std::size_t count_ = 0;
    std::span<const std::size_t> counts_, positions_;
};

/// Blocks of these lengths, one behind the other; until the next call with other lengths.
/// @collective over the whole the first time
rank_blocks blocks_of_counts(const hierarchy& levels, const integers& counts);

/// What the groups' ranks of a stratum contribute: a rank that is in it for the second time, nothing.
blocks blocks_of_stratum(copy_groups& groups, int stratum, const rank_blocks& where,
                         const window_view& window);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/rank_blocks.ipp>
#endif
