// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/ranks_by_node.hpp>
#include <topomp/algorithm/tree/two_levels.hpp>
#include <topomp/core/detail/inline.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE tree_edges two_level_edges(const ranks_by_node& nodes, node_leader which,
                                         const any_shape& between, const any_shape& inside, int root,
                                         int rank) {
    const auto leader = [&](int node) {
        const auto ranks = nodes.ranks_of(node);
        if (node == nodes.node_of(root)) return root;
        return which == node_leader::first ? ranks.front() : ranks[ranks.size() / 2];
    };
    std::vector<int> leaders;
    for (int node = 0; node < nodes.nodes(); ++node)
        leaders.push_back(leader(node));

    const int own = nodes.node_of(rank), first = leader(own);
    const auto beside = nodes.ranks_of(own);
    const auto index_of = [&](int one) {
        return static_cast<int>(std::ranges::find(beside, one) - beside.begin());
    };
    const std::array steps{step_view{leaders, own, nodes.node_of(root), root},
                           step_view{beside, index_of(rank), index_of(first), first}};
    const std::array shapes{between, inside};
    const std::size_t outermost = rank == first ? 0 : 1;
    return compose(std::span{steps}.subspan(outermost), std::span{shapes}.subspan(outermost),
                   operand_order::any);
}

} // namespace topo::detail
