// SPDX-License-Identifier: BSL-1.0
/// @file
/// All ranks in lane order, for collectives that move every rank's block along lanes.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/lanes/lane_layout.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>

#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

/// All ranks in groups: those of a node whose blocks go along one lane, the lane's rank first. The groups of
/// a lane lie one behind the other, node by node.
///
/// ```
///   node 0   0  1  2       lanes 0 and 1:   0 2 | 3 | 5 7 || 1 | 4 | 6
///   node 1   3  4
///   node 2   5  6  7
/// ```
struct lane_order {
    int nodes = 0;
    std::vector<int> ranks;
    std::vector<std::size_t> begin; ///< of each group, and the end

    std::size_t group(int lane, int node) const;
    std::span<const int> members(std::size_t group) const;

    /// The calling rank's edges in the trees of all ranks' blocks.
    struct trees {
        std::vector<tree_edges> along;  ///< by node, from its rank along the own lane; none in no lane
        std::vector<tree_edges> inside; ///< by lane, from its rank in the own node
    };
};

/// The lane order of a context, made at first use.
class lane_orders {
public:
    explicit lane_orders(context& ranks) : ranks_(ranks), layout_(ranks.attached<lane_layout>()) {}

    /// @collective over the context the first time @cost then an all-gather of 8 bytes per rank
    const lane_order& rank_order();

    /// Whether each tree can have a tag of its own. The same on all ranks. @collective as `rank_order`
    bool has_tags();

    const lane_order::trees& trees_of(const tree_plan& plan, operand_order order);

private:
    context& ranks_;
    lane_layout& layout_;
    lane_order rank_order_;
    std::map<std::pair<tree_identity, operand_order>, lane_order::trees> trees_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/lanes/impl/lane_order.ipp>
#endif
