// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a mapping has to solve, what it costs, and how two costs compare.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/mapping/grid.hpp>
#include <topomp/mapping/stencil.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
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
inline bool is_lower(const mapping_cost& one, const mapping_cost& other, mapping_goal first) {
    if (first == mapping_goal::total) return std::tie(one.jsum, one.jmax) < std::tie(other.jsum, other.jmax);
    return std::tie(one.jmax, one.jsum) < std::tie(other.jmax, other.jsum);
}

/// Of each cell or vertex, in order, the node that it is on. Nodes are numbered in the order of their ranks.
using node_map = std::vector<int>;

/// How many ranks each node has, with the sums that lead up to each.
class node_list {
public:
    explicit node_list(std::span<const int> sizes) : sizes_(sizes.begin(), sizes.end()) {
        starts_.reserve(sizes.size() + 1);
        for (const int size : sizes)
            starts_.push_back(starts_.back() + size);
    }

    int count() const { return static_cast<int>(sizes_.size()); }
    int total() const { return starts_.back(); }
    int size(int node) const { return sizes_[static_cast<std::size_t>(node)]; }
    int start(int node) const { return starts_[static_cast<std::size_t>(node)]; }
    const std::vector<int>& sizes() const { return sizes_; }

    /// The size of all nodes, or 0 if it differs.
    int common_size() const {
        return std::ranges::adjacent_find(sizes_, std::ranges::not_equal_to{}) == sizes_.end()
                   ? sizes_.front()
                   : 0;
    }

    /// The node behind so many ranks, the first one that starts there or later.
    int node_at(int ranks) const {
        return static_cast<int>(std::ranges::lower_bound(starts_, ranks) - starts_.begin());
    }

private:
    std::vector<int> sizes_;
    std::vector<int> starts_{0};
};

/// @param what `node` or `part`
/// @throws argument_error if there is none, one is not positive, or they have more ranks than an int can
/// number
inline node_list checked_sizes(std::string_view call, const std::string& what,
                               const std::vector<int>& sizes) {
    if (sizes.empty()) throw argument_error(call, what + 's', "there is none");
    std::int64_t ranks = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] < 1)
            throw argument_error(call, what + ' ' + std::to_string(i),
                                 std::to_string(sizes[i]) + " ranks; each has at least 1");
        ranks += sizes[i];
    }
    if (ranks > std::numeric_limits<int>::max())
        throw argument_error(call, what + 's',
                             std::to_string(ranks) + " ranks are more than an int can number");
    return node_list{sizes};
}

/// @throws argument_error if the sizes are none, or the parts do not divide each of @p wholes
inline node_list checked_parts(std::string_view call, const std::vector<int>& sizes,
                               const node_list& wholes) {
    node_list parts = checked_sizes(call, "part", sizes);
    if (parts.total() != wholes.total())
        throw argument_error(call, "parts of nodes",
                             "they have " + std::to_string(parts.total()) + " ranks together, the nodes " +
                                 std::to_string(wholes.total()));
    for (int whole = 0; whole < wholes.count(); ++whole)
        if (parts.start(parts.node_at(wholes.start(whole))) != wholes.start(whole))
            throw argument_error(call, "parts of nodes",
                                 "one has ranks on both sides of rank " +
                                     std::to_string(wholes.start(whole)) +
                                     ", where a node or an outer part begins");
    return parts;
}

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
    node_filler(const node_list& nodes, node_map& map, int first_node = 0)
        : nodes_(nodes), map_(map), node_(first_node), left_(nodes.size(first_node)) {}

    void add(int cell) {
        if (left_ == 0) left_ = nodes_.size(++node_);
        map_[static_cast<std::size_t>(cell)] = node_;
        --left_;
    }

private:
    const node_list& nodes_;
    node_map& map_;
    int node_, left_;
};

} // namespace detail

} // namespace topo
