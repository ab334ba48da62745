// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a mapping has to solve, what it costs, and how two costs compare.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/mapping/grid.hpp>
#include <topomp/mapping/stencil.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace topo {

/// Which of two sums decides first between mappings; the other one decides between equals.
enum class mapping_goal {
    total,   ///< the load of all messages between nodes: Jsum
    greatest ///< the greatest load that one node sends: Jmax
};

/// What a mapping costs: weights of directed edges between nodes.
struct mapping_cost {
    std::int64_t jsum = 0; ///< of all nodes
    std::int64_t jmax = 0; ///< of the node that sends most

    friend bool operator==(const mapping_cost&, const mapping_cost&) = default;
};

namespace detail {

/// For products that can be beyond 64 bits.
__extension__ using wide_integer = __int128;

/// Whether a cost is lower than another.
bool is_lower(const mapping_cost& one, const mapping_cost& other, mapping_goal first);

/// Of each cell or vertex, in order, the node that it is on. Nodes are numbered in the order of their ranks.
using node_map = std::vector<int>;

/// How many ranks each node has, with the sums that lead up to each.
class node_list {
public:
    explicit node_list(std::span<const int> sizes);

    int count() const { return static_cast<int>(sizes_.size()); }
    int total() const { return starts_.back(); }
    int size(int node) const { return sizes_[static_cast<std::size_t>(node)]; }
    int start(int node) const { return starts_[static_cast<std::size_t>(node)]; }
    const std::vector<int>& sizes() const { return sizes_; }

    /// The size of all nodes, or 0 if it differs.
    int common_size() const;

    /// The node behind so many ranks, the first one that starts there or later.
    int node_at(int ranks) const;

private:
    std::vector<int> sizes_;
    std::vector<int> starts_{0};
};

/// @param what `node` or `part`
/// @throws argument_error if there is none, one is not positive, or they have more ranks than an int can
/// number
node_list checked_sizes(std::string_view call, const std::string& what, const std::vector<int>& sizes);

/// @throws argument_error if the sizes are none, or the parts do not divide each of @p wholes
node_list checked_parts(std::string_view call, const std::vector<int>& sizes, const node_list& wholes);

/// A grid, what its cells exchange, and the nodes that they go to.
struct grid_problem {
    grid cells;
    stencil pattern;
    node_list nodes;
    mapping_goal first = mapping_goal::total;
};

/// Gives cells to nodes in the order in which they come.
class node_filler {
public:
    node_filler(const node_list& nodes, node_map& map, int first_node = 0);

    void add(int cell);

private:
    const node_list& nodes_;
    node_map& map_;
    int node_, left_;
};

} // namespace detail

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/impl/mapping_problem.ipp>
#endif
