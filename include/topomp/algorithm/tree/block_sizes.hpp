// SPDX-License-Identifier: BSL-1.0
/// @file
/// The number of bytes of a subtree's blocks.
#pragma once

#include <topomp/algorithm/tree/subtree.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

/// Where the bytes of every rank of a subtree begin, in the order in which blocks travel.
class block_sizes {
public:
    /// Blocks of the same size.
    void set_equal(std::size_t each, std::size_t ranks);
    /// Blocks of given sizes, in the order of a subtree.
    void set(std::span<const std::size_t> sizes);
    /// Blocks of `size_of(rank)` bytes.
    template <class F>
    void set_each(std::span<const int> ranks, F size_of) {
        begin_.assign(1, 0);
        for (const int rank : ranks)
            begin_.push_back(begin_.back() + size_of(rank));
    }
    std::size_t begin(std::size_t position) const;
    /// Bytes of one block.
    std::size_t of(std::size_t position) const { return begin(position + 1) - begin(position); }
    /// Bytes of all blocks below a child.
    std::size_t of_child(const subtree& below, std::size_t child) const;
    std::size_t total() const { return begin_.empty() ? ranks_ * each_ : begin_.back(); }

private:
    std::vector<std::size_t> begin_; ///< empty: all blocks are the same
    std::size_t each_ = 0;
    std::size_t ranks_ = 0;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/tree/impl/block_sizes.ipp>
#endif
