// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/bounded.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/memory/detail/block_list.hpp>
#include <topomp/memory/detail/window_layout.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE std::optional<window_layout> blocks_of_each(std::span<const std::size_t> counts,
                                                          std::size_t element, std::size_t alignment) {
    window_layout made;
    for (const std::size_t count : counts) {
        const auto begin = bounded(1, made.bytes, alignment - 1);
        if (!begin) return std::nullopt;
        const std::size_t offset = *begin / alignment * alignment;
        const auto end = bounded(count, element, offset);
        if (!end) return std::nullopt;
        made.blocks.push_back({offset, count});
        if (count > 0) made.bytes = *end;
    }
    return made;
}

TOPOMP_INLINE std::optional<window_layout> spread_blocks(std::size_t count, std::size_t element,
                                                         std::span<const int> numa_nodes) {
    const auto bytes = bounded(count, element);
    if (!bytes) return std::nullopt;
    std::vector<std::pair<int, std::size_t>> order; // by node, then by rank
    std::vector<int> nodes;
    for (std::size_t rank = 0; rank < numa_nodes.size(); ++rank) {
        order.emplace_back(numa_nodes[rank], rank);
        if (std::ranges::find(nodes, numa_nodes[rank]) == nodes.end()) nodes.push_back(numa_nodes[rank]);
    }
    std::ranges::sort(order);
    std::ranges::sort(nodes);

    const std::size_t pages = (*bytes + page_bytes - 1) / page_bytes;
    const auto share = [](std::size_t whole, std::size_t index, std::size_t number) {
        return whole / number * index + std::min(index, whole % number);
    };
    const auto first_element = [&](std::size_t page) {
        return std::min(count, (page * page_bytes + element - 1) / element);
    };
    window_layout made{std::vector<window_part>(numa_nodes.size()), *bytes};
    auto next = order.begin();
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const std::size_t first_page = share(pages, n, nodes.size());
        const std::size_t node_pages = share(pages, n + 1, nodes.size()) - first_page;
        const auto ranks = static_cast<std::size_t>(
            std::ranges::count_if(order, [&](const auto& each) { return each.first == nodes[n]; }));
        for (std::size_t i = 0; i < ranks; ++i, ++next) {
            const std::size_t first = first_element(first_page + share(node_pages, i, ranks));
            const std::size_t end = first_element(first_page + share(node_pages, i + 1, ranks));
            made.blocks[next->second] = {first * element, end - first};
        }
    }
    return made;
}

TOPOMP_INLINE std::pair<std::size_t, std::size_t> first_touched(const window_layout& layout, std::size_t rank,
                                                                std::size_t page_offset) {
    const auto page_border = [&](std::size_t at) {
        if (at == 0 || at == layout.bytes) return at;
        const std::size_t nearest = (at + page_offset + page_bytes / 2) / page_bytes * page_bytes;
        return nearest <= page_offset ? 0 : std::min(layout.bytes, nearest - page_offset);
    };
    const window_part& mine = layout.blocks[rank];
    if (mine.count == 0) return {0, 0};
    // Up to the next block, so that gaps for alignment have an owner, too.
    std::size_t end = layout.bytes;
    for (const window_part& other : layout.blocks)
        if (other.count > 0 && other.offset > mine.offset) end = std::min(end, other.offset);
    return {page_border(mine.offset), page_border(end)};
}

} // namespace topo::detail
