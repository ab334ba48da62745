// SPDX-License-Identifier: BSL-1.0
/// @file
/// Derived arguments of the verbs that exchange blocks, in memory that later calls reuse.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace topo::detail {

/// Blocks with a position each, found here where none are given.
class settled_blocks {
public:
    settled_blocks(context& ranks, const blocks& all);
    settled_blocks(const settled_blocks&) = delete;
    settled_blocks& operator=(const settled_blocks&) = delete;
    ~settled_blocks();

    const blocks& all() const noexcept { return all_; }

private:
    struct found_positions {
        std::vector<std::size_t> values;
    };

    context& ranks_;
    blocks all_;
    std::unique_ptr<found_positions> found_;
};

/// A copy of blocks, one behind the other: a rank's data for the others, if the result overwrites it.
class copied_blocks {
public:
    /// @param all with counts there are positions too
    copied_blocks(context& ranks, const blocks& all);
    copied_blocks(const copied_blocks&) = delete;
    copied_blocks& operator=(const copied_blocks&) = delete;
    ~copied_blocks() { ranks_.pool<kept>().give_back(std::move(kept_)); }

    const blocks& all() const noexcept { return all_; }

private:
    struct kept {
        std::vector<std::size_t> counts, positions;
        scratch_buffer memory, temporary;
    };

    context& ranks_;
    std::unique_ptr<kept> kept_;
    blocks all_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/kept_blocks.ipp>
#endif
