// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/node_aware_tree.hpp>
#include <topomp/algorithm/tree/ranks_by_node.hpp>
#include <topomp/core/detail/inline.hpp>

#include <algorithm>
#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE tree_edges node_aware_tree::edges(int root, int rank, node_aware_rule rule) const {
    tree_edges result;
    send_all(root, rule, [&](int from, int to, int) {
        if (from == rank) result.children.push_back(to);
        if (to == rank) result.parent = from;
    });
    for (std::size_t i = result.children.size(); i-- > 0;) // the smallest subtree is ready first
        result.operands.push_back({result.children[i], false});
    return result;
}

TOPOMP_INLINE node_aware_tree::uninformed_ranks::uninformed_ranks(const ranks_by_node& nodes, int root)
    : nodes_(nodes), next_(nodes.begins()), rank_order_(nodes.rank_order()) {
    auto& of_root = next_[static_cast<std::size_t>(nodes.node_of(root))];
    const auto first = rank_order_.begin() + static_cast<std::ptrdiff_t>(of_root++);
    std::rotate(first, std::find(first, rank_order_.end(), root),
                std::find(first, rank_order_.end(), root) + 1);
    for (int node = 0; node < nodes.nodes(); ++node)
        by_left_.push({left(node), -node});
}

TOPOMP_INLINE int node_aware_tree::uninformed_ranks::take(int node) {
    if (node == none || left(node) == 0) return none;
    const int rank = rank_order_[next_[static_cast<std::size_t>(node)]++];
    by_left_.push({left(node), -node});
    return rank;
}

TOPOMP_INLINE int node_aware_tree::uninformed_ranks::uninformed_node() {
    const auto is_informed = [this](int node) {
        return next_[static_cast<std::size_t>(node)] > nodes_.begins()[static_cast<std::size_t>(node)];
    };
    while (first_uninformed_ < nodes_.nodes() && is_informed(first_uninformed_))
        ++first_uninformed_;
    return first_uninformed_ < nodes_.nodes() ? first_uninformed_ : none;
}

TOPOMP_INLINE int node_aware_tree::uninformed_ranks::largest(int least) {
    while (by_left_.top().first != left(-by_left_.top().second))
        by_left_.pop(); // as it was before
    return by_left_.top().first >= least ? -by_left_.top().second : none;
}

TOPOMP_INLINE int node_aware_tree::uninformed_ranks::left(int node) const {
    return static_cast<int>(nodes_.begins()[static_cast<std::size_t>(node) + 1] -
                            next_[static_cast<std::size_t>(node)]);
}

} // namespace topo::detail
