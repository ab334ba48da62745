// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/tree/ranks_by_node.hpp>
#include <topomp/core/detail/inline.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE ranks_by_node::ranks_by_node(std::span<const int> lowest)
    : node_of_(lowest.size()), rank_order_(lowest.size()) {
    std::vector<int> count(lowest.size(), 0), node(lowest.size(), 0);
    for (const int rank : lowest)
        ++count[static_cast<std::size_t>(rank)];
    for (std::size_t rank = 0; rank < lowest.size(); ++rank) {
        if (count[rank] == 0) continue;
        node[rank] = nodes();
        begin_.push_back(begin_.back() + static_cast<std::size_t>(count[rank]));
    }
    std::vector<std::size_t> next{begin_};
    for (std::size_t rank = 0; rank < lowest.size(); ++rank) {
        node_of_[rank] = node[static_cast<std::size_t>(lowest[rank])];
        rank_order_[next[static_cast<std::size_t>(node_of_[rank])]++] = static_cast<int>(rank);
    }
}

TOPOMP_INLINE std::span<const int> ranks_by_node::ranks_of(int node) const {
    const std::size_t first = begin_[static_cast<std::size_t>(node)];
    return std::span{rank_order_}.subspan(first, begin_[static_cast<std::size_t>(node) + 1] - first);
}

} // namespace topo::detail
