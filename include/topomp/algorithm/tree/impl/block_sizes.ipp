// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/tree/block_sizes.hpp>
#include <topomp/algorithm/tree/subtree.hpp>
#include <topomp/core/detail/inline.hpp>

#include <cstddef>
#include <span>

namespace topo::detail {

TOPOMP_INLINE void block_sizes::set_equal(std::size_t each, std::size_t ranks) {
    begin_.clear();
    each_ = each;
    ranks_ = ranks;
}

TOPOMP_INLINE void block_sizes::set(std::span<const std::size_t> sizes) {
    begin_.assign(1, 0);
    for (const std::size_t size : sizes)
        begin_.push_back(begin_.back() + size);
}

TOPOMP_INLINE std::size_t block_sizes::begin(std::size_t position) const {
    return begin_.empty() ? position * each_ : begin_[position];
}

TOPOMP_INLINE std::size_t block_sizes::of_child(const subtree& below, std::size_t child) const {
    return begin(below.begin[child + 1]) - begin(below.begin[child]);
}

} // namespace topo::detail
