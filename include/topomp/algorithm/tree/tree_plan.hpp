// SPDX-License-Identifier: BSL-1.0
/// @file
/// A shape for each level, as plain data.
#pragma once

#include <topomp/algorithm/any_shape.hpp>
#include <topomp/algorithm/tree/rule_list.hpp>
#include <topomp/hardware/kind.hpp>

#include <compare>
#include <cstddef>

namespace topo {
struct level_info;
}

namespace topo::detail {

/// The parameters of a tree of `node_aware_tree`.
struct node_aware_rule {
    /// The latency of a message, in units of the gap between two sends; 0: not that tree.
    int between_nodes = 0, inside_node = 0;
    /// Whether ranks whose node is complete send to ranks of other nodes.
    bool crosses_nodes = false;

    constexpr explicit operator bool() const { return inside_node > 0; }
    friend constexpr auto operator<=>(const node_aware_rule&, const node_aware_rule&) = default;
};

/// Which rank of each node is the parent of the node's other ranks, if there are two levels only. In the
/// root's node it is the root.
enum class node_leader { none, first, in_the_middle };

/// The key of a tree over all ranks, under which a context caches it.
struct tree_identity {
    const void* rules = nullptr; ///< equal rules at other addresses give a second copy of the same tree
    node_leader through{};
    bool ignores_placement = false;
    node_aware_rule node_aware{};

    friend constexpr auto operator<=>(const tree_identity&, const tree_identity&) = default;
};

/// A shape for the levels of one kind, or for all that no rule before it names.
struct level_rule {
    kind which{};
    bool is_default = false;
    any_shape shape;

    friend constexpr bool operator==(const level_rule&, const level_rule&) = default;
};

/// The shape at each level, and the length of segments.
struct tree_plan {
    rule_list<level_rule> rules;    ///< the last one is the default; they live as long as the program
    std::size_t segment_bytes = 0;  ///< 0: one piece
    bool ignores_placement = false; ///< operands are combined along one tree over the ranks' numbers
    node_aware_rule node_aware{};   ///< if set, this tree is used; the rules apply where it cannot be built
    node_leader through = node_leader::none; ///< if set, there are two levels: nodes, and what is in each

    constexpr tree_identity identity() const {
        return {rules.data(), through, ignores_placement, node_aware};
    }

    /// Whether ranks have to know the nodes of others.
    constexpr bool needs_nodes() const { return node_aware || through != node_leader::none; }

    /// Whether every shape can combine operands in the order of ranks.
    constexpr bool keeps_order() const {
        if (needs_nodes()) return false;
        for (const level_rule& rule : rules)
            if (!rule.shape.is_interval()) return false;
        return true;
    }

    /// Of a plan for lanes, or for two levels: the shape among nodes, and that inside each.
    const any_shape& along() const { return rules.front().shape; }
    const any_shape& inside() const { return rules.back().shape; }

    const any_shape& shape_for(const level_info& level) const;

    friend constexpr bool operator==(const tree_plan& a, const tree_plan& b) {
        return a.rules == b.rules && a.segment_bytes == b.segment_bytes &&
               a.ignores_placement == b.ignores_placement && a.node_aware == b.node_aware &&
               a.through == b.through;
    }
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/tree/impl/tree_plan.ipp>
#endif
