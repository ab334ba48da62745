// SPDX-License-Identifier: BSL-1.0
/// @file
/// All ranks, node by node.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

/// The objects taken as nodes if all ranks are in one machine: its widest parts, or its NUMA nodes.
enum class machine_part { widest, numa_node };

/// Which ranks are on which node. Nodes are numbered by their lowest ranks.
class ranks_by_node {
public:
    /// @param lowest each rank's node, by its lowest rank
    explicit ranks_by_node(std::span<const int> lowest);

    int nodes() const { return static_cast<int>(begin_.size()) - 1; }
    int node_of(int rank) const { return node_of_[static_cast<std::size_t>(rank)]; }

    /// A node's ranks, ascending.
    std::span<const int> ranks_of(int node) const;

    /// All ranks, node by node.
    const std::vector<int>& rank_order() const { return rank_order_; }
    /// Where each node begins in the rank order, and the end.
    const std::vector<std::size_t>& begins() const { return begin_; }

private:
    std::vector<int> node_of_; ///< each rank's
    std::vector<int> rank_order_;
    std::vector<std::size_t> begin_{0};
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/tree/impl/ranks_by_node.ipp>
#endif
