// SPDX-License-Identifier: BSL-1.0
/// @file
/// How many nodes are below each switch.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

/// The switches above many nodes, and how many of these each has below it. A switch is the path of names down
/// to it; switches with the same nodes below them have the same processing units.
class switch_tree {
public:
    using position = std::size_t;
    static constexpr position top = 0; ///< above all switches: of nodes that have none

    /// The innermost switch of a path, outermost first.
    position at(const std::vector<std::string>& path);

    /// Puts a node below a switch.
    void add_node(position innermost);

    /// For each switch of a node, outermost first, and for the node itself, whether it has all nodes that are
    /// below the switch before it. False for the first, which has none before it.
    std::vector<bool> filling(position innermost) const;

private:
    struct network_switch {
        position outer = top;
        std::size_t nodes = 0;
    };

    std::vector<network_switch> switches_{{}};
    std::map<std::pair<position, std::string>, position> known_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hardware/impl/switch_tree.ipp>
#endif
