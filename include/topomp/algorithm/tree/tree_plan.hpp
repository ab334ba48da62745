// SPDX-License-Identifier: BSL-1.0
/// @file
/// A shape for each level, as plain data.
#pragma once

#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/hardware/kind.hpp>

#include <cstddef>
#include <span>

namespace topo {
struct level_info;
}

namespace topo::detail {

/// What tells one tree of `spreading_tree` from another.
struct spreading_rule {
    /// How long a message is on its way, in the time between two that one rank sends; 0: not that tree.
    int between_nodes = 0, inside_node = 0;
    bool helps = false; ///< whether who has nobody left in its own node tells other nodes' ranks

    constexpr explicit operator bool() const { return inside_node > 0; }
};

/// Which rank of each node the others of it hang on, if there are two levels only. The root of the whole is
/// it in its own node.
enum class node_leader { none, first, in_the_middle };

/// A shape for the levels of one kind, or for all that no rule before it names.
struct level_rule {
    kind which{};
    bool is_default = false;
    any_shape how;
};

/// Which shape moves data at which level, and in how long pieces. A policy with its types forgotten.
struct tree_plan {
    std::span<const level_rule> rules; ///< the last one is the default; they live as long as the program
    std::size_t segment_bytes = 0;     ///< 0: one piece
    bool ignores_placement = false;    ///< operands are combined along one tree over the ranks' numbers
    spreading_rule spreads{};          ///< if set, the tree is that one, and the rules are where it cannot be
    node_leader through = node_leader::none; ///< if set, there are two levels: nodes, and what is in each

    /// Whether every shape can combine operands in the order of ranks.
    constexpr bool keeps_order() const {
        if (spreads || through != node_leader::none) return false;
        for (const level_rule& rule : rules)
            if (!rule.how.is_interval) return false;
        return true;
    }

    /// Of a plan for lanes, or for two levels: the shape among nodes, and that inside each.
    const any_shape& along() const { return rules.front().how; }
    const any_shape& inside() const { return rules.back().how; }

    const any_shape& shape_for(const level_info& level) const;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/impl/tree_plan.ipp>
#endif
