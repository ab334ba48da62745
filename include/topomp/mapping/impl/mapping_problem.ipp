// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/mapping/mapping_problem.hpp>

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

namespace topo::detail {

TOPOMP_INLINE bool is_lower(const mapping_cost& one, const mapping_cost& other, mapping_goal first) {
    if (first == mapping_goal::total) return std::tie(one.jsum, one.jmax) < std::tie(other.jsum, other.jmax);
    return std::tie(one.jmax, one.jsum) < std::tie(other.jmax, other.jsum);
}

TOPOMP_INLINE node_list::node_list(std::span<const int> sizes) : sizes_(sizes.begin(), sizes.end()) {
    starts_.reserve(sizes.size() + 1);
    for (const int size : sizes)
        starts_.push_back(starts_.back() + size);
}

TOPOMP_INLINE int node_list::common_size() const {
    return std::ranges::adjacent_find(sizes_, std::ranges::not_equal_to{}) == sizes_.end() ? sizes_.front()
                                                                                           : 0;
}

TOPOMP_INLINE int node_list::node_at(int ranks) const {
    return static_cast<int>(std::ranges::lower_bound(starts_, ranks) - starts_.begin());
}

TOPOMP_INLINE node_list checked_sizes(std::string_view call, const std::string& what,
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

TOPOMP_INLINE node_list checked_parts(std::string_view call, const std::vector<int>& sizes,
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

TOPOMP_INLINE node_filler::node_filler(const node_list& nodes, node_map& map, int first_node)
    : nodes_(nodes), map_(map), node_(first_node), left_(nodes.size(first_node)) {}

TOPOMP_INLINE void node_filler::add(int cell) {
    if (left_ == 0) left_ = nodes_.size(++node_);
    map_[static_cast<std::size_t>(cell)] = node_;
    --left_;
}

} // namespace topo::detail
