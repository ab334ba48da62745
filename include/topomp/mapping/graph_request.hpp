// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a plan for a graph is asked for.
#pragma once

#include <topomp/mapping/graph_links.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace topo {

/// A way of mapping a graph to nodes.
enum class graph_algorithm : unsigned char {
    automatic, ///< all of the following, of which the best is refined and kept
    blocked,   ///< rank r is vertex r
    growth,    ///< node after node takes the vertex that is linked with it best
    bisection, ///< parts in orders grown the same way, cut near the middle where that separates least
    scotch     ///< Scotch's mapping, nodes made exact; only where it is installed
};

/// `bisection`
constexpr std::string_view to_string(graph_algorithm which) {
    constexpr std::string_view names[] = {"automatic", "blocked", "growth", "bisection", "scotch"};
    return names[static_cast<std::size_t>(which)];
}

/// How much time `automatic` may take for a graph. More never makes a mapping worse.
enum class mapping_effort : unsigned char {
    little, ///< `blocked` and `growth`, not refined
    usual,  ///< all algorithms, of which the best is refined; Scotch for few vertices only
    much    ///< all algorithms, each refined for longer
};

/// `usual`
constexpr std::string_view to_string(mapping_effort which) {
    constexpr std::string_view names[] = {"little", "usual", "much"};
    return names[static_cast<std::size_t>(which)];
}

/// What a plan for a graph is asked for. As many vertices as ranks.
struct graph_request {
    std::vector<graph_edge> edges; ///< directed; the weights of repeated ones add up
    std::vector<int> node_sizes;   ///< ranks of each node, in rank order
    std::vector<int> fixed;        ///< vertices that keep the rank with their number
    mapping_goal first = mapping_goal::total;
    graph_algorithm algorithm = graph_algorithm::automatic;
    mapping_effort effort = mapping_effort::usual;
};

} // namespace topo
