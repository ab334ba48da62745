// SPDX-License-Identifier: BSL-1.0
/// @file
/// Where the blocks of a shared window lie and which rank touches which page first, as pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace topo {

/// The owner of each block of a window.
enum class window_blocks {
    of_each, ///< every rank as many elements as it asks for, in the order of ranks
    of_root, ///< all elements belong to rank 0
    spread   ///< one block whose pages are spread evenly over the NUMA nodes that ranks run on
};

/// How the blocks of ranks follow each other.
enum class window_packing {
    contiguous, ///< without gaps: the blocks are one span
    aligned     ///< each at a multiple of the alignment
};

/// Which pages a window consists of.
enum class window_pages {
    usual,
    huge ///< large ones if the system has them: a hint
};

/// Which ranks of a hierarchy share a window.
enum class window_sharers {
    of_node,     ///< those of each node
    of_numa_node ///< those that are bound inside the same NUMA node; of each node, those that are in none
};

/// What a shared window is like.
struct window_options {
    window_blocks blocks = window_blocks::of_each;
    window_packing packing = window_packing::contiguous;
    std::size_t alignment = 64; ///< bytes, a power of two up to a page; a cache line
    window_pages pages = window_pages::usual;
    window_sharers sharers = window_sharers::of_node; ///< used if a window is made over a hierarchy
};

namespace detail {

/// The same on all machines, so that all ranks of a node agree; a multiple of what small pages are.
inline constexpr std::size_t page_bytes = 4096;

/// A rank's block: so many elements from so many bytes behind the first.
struct window_part {
    std::size_t offset = 0;
    std::size_t count = 0;
};

/// All blocks of a window, by rank.
struct window_layout {
    std::vector<window_part> blocks;
    std::size_t bytes = 0; ///< from the first byte to the last
};

/// Blocks of so many elements each, behind each other. @param alignment of each; 1: no gaps
std::optional<window_layout> blocks_of_each(std::span<const std::size_t> counts, std::size_t element,
                                            std::size_t alignment);

/// One block, whose pages are divided evenly among NUMA nodes and then among the ranks of each. An element
/// belongs to the rank that owns its first byte. Ranks of one node are neighbours.
///
/// ```
///   rank             0   1   2        pages  0 1 2 | 3 4 5 | 6 7 8 9 10 11
///   its NUMA node    0   1   0        rank     0       2         1
/// ```
/// @param numa_nodes by rank
std::optional<window_layout> spread_blocks(std::size_t count, std::size_t element,
                                           std::span<const int> numa_nodes);

/// The bytes that a rank touches first, from the first byte of the data: whole pages, of which each belongs
/// to the block that has its middle. @param page_offset where in a page the data begin
std::pair<std::size_t, std::size_t> first_touched(const window_layout& layout, std::size_t rank,
                                                  std::size_t page_offset);

} // namespace detail
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/memory/impl/window_layout.ipp>
#endif
