// SPDX-License-Identifier: BSL-1.0
/// @file
/// A copy of the blocks that a rank sends, in memory that later calls reuse.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/core/detail/owned.hpp>

namespace topo {
class hierarchy;
}

namespace topo::detail {

class context;

struct kept_lists;

/// A copy of blocks, one behind the other: a rank's data for the others, if the result overwrites it.
class copied_blocks {
public:
    /// @param all with counts there are positions too @collective over the whole the first time, as
    /// `context::of`
    copied_blocks(const hierarchy& levels, const blocks& all);
    copied_blocks(const copied_blocks&) = delete;
    copied_blocks& operator=(const copied_blocks&) = delete;
    ~copied_blocks();

    const blocks& all() const noexcept { return all_; }

private:
    context& ranks_;
    owned<kept_lists> kept_;
    blocks all_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/kept_blocks.ipp>
#endif
