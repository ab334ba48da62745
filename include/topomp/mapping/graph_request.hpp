// SPDX-License-Identifier: BSL-1.0
/// @file
/// The request for a plan for a graph, and the plan.
#pragma once

#include <topomp/mapping/graph_links.hpp>
#include <topomp/mapping/mapping_problem.hpp>
#include <topomp/mapping/mapping_quality.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace topo {

/// An algorithm that maps a graph to nodes.
enum class graph_algorithm : unsigned char {
    automatic, ///< all of the following, of which the best result is refined and used
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

/// The request for a plan for a graph. As many vertices as ranks.
struct graph_request {
    std::vector<graph_edge> edges;                          ///< directed; the weights of repeated ones add up
    std::vector<int> node_sizes;                            ///< ranks of each node, in rank order
    std::vector<int> fixed;                                 ///< vertices fixed to the rank with their number
    mapping_goal first = mapping_goal::total;               ///< which cost decides first
    graph_algorithm algorithm = graph_algorithm::automatic; ///< which algorithm maps
    mapping_effort effort = mapping_effort::usual;          ///< how long it may take
    /// Ranks of each package, in rank order; then of each NUMA node; ...: each level divides the one before.
    std::vector<std::vector<int>> parts{};
};

/// The vertices of a graph as ranks, and how good that is: a value. Equal requests give equal plans.
struct graph_plan {
    std::vector<int> owner;                               ///< of each vertex, the rank
    std::vector<int> node;                                ///< of each vertex, the node
    graph_algorithm algorithm = graph_algorithm::blocked; ///< which one's result this is
    bool is_refined = false;                              ///< and whether swaps made it better
    mapping_quality now;                                  ///< of this plan
    mapping_quality blocked;                              ///< if rank r were vertex r

    /// A level inside the nodes: the load between parts of the same node, or of the same part of the level
    /// before.
    struct level {
        mapping_cost now;     ///< of this plan
        mapping_cost blocked; ///< with the ranks of a node in the order of its vertices
    };
    std::vector<level> parts; ///< one for each level inside the nodes, outermost first

    /// Makes a plan. @cost linear memory; edges times the logarithm of vertices and of nodes
    /// @throws argument_error if an edge or fixed vertex is no vertex, a weight is not positive, the
    /// weights add up to more than 2^62, or parts do not divide nodes
    /// @see paper 4, section 3.1
    static graph_plan of(const graph_request& request);
};

} // namespace topo
