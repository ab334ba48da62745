// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/graph/graph_parts.hpp>
#include <topomp/mapping/graph_request.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE graph_parts::graph_parts(const graph_request& request, graph_plan& plan)
    : request_(request), plan_(plan), nodes_(checked_sizes("topo::graph_plan", "node", request.node_sizes)) {
    node_list wholes = nodes_;
    for (const auto& sizes : request.parts)
        wholes = checked_parts("topo::graph_plan", sizes, wholes);
    next_.resize(request.parts.size());
}

TOPOMP_INLINE void graph_parts::run() {
    std::vector<std::vector<graph_edge>> edges(static_cast<std::size_t>(nodes_.count()));
    for (const auto& each : request_.edges)
        if (node_of(each.from) == node_of(each.to))
            edges[node_of(each.from)].push_back({number(each.from), number(each.to), each.weight});
    std::vector<std::vector<int>> fixed(edges.size());
    for (const int vertex : request_.fixed)
        fixed[node_of(vertex)].push_back(number(vertex));
    std::vector<std::vector<int>> vertices(edges.size()); // of each node, by their numbers there
    for (int node = 0; node < nodes_.count(); ++node)
        vertices[static_cast<std::size_t>(node)].resize(static_cast<std::size_t>(nodes_.size(node)));
    for (int vertex = 0; vertex < nodes_.total(); ++vertex)
        vertices[node_of(vertex)][static_cast<std::size_t>(number(vertex))] = vertex;

    plan_.parts.assign(request_.parts.size(), {});
    for (int node = 0; node < nodes_.count(); ++node) {
        const auto at = static_cast<std::size_t>(node);
        graph_request inner;
        inner.edges = std::move(edges[at]);
        inner.node_sizes = parts_of(0, nodes_.size(node));
        inner.fixed = std::move(fixed[at]);
        for (std::size_t level = 1; level < request_.parts.size(); ++level)
            inner.parts.push_back(parts_of(level, nodes_.size(node)));
        inner.first = request_.first;
        // The assignment of vertices to nodes ignores parts.
        inner.algorithm = request_.algorithm == graph_algorithm::blocked ? graph_algorithm::blocked
                                                                         : graph_algorithm::automatic;
        inner.effort = request_.effort;
        const graph_plan made = graph_plan::of(inner);
        add(made);
        for (std::size_t i = 0; i < made.owner.size(); ++i)
            plan_.owner[static_cast<std::size_t>(vertices[at][i])] = nodes_.start(node) + made.owner[i];
    }
}

TOPOMP_INLINE std::size_t graph_parts::node_of(int vertex) const {
    return static_cast<std::size_t>(plan_.node[static_cast<std::size_t>(vertex)]);
}

TOPOMP_INLINE int graph_parts::number(int vertex) const {
    return plan_.owner[static_cast<std::size_t>(vertex)] - nodes_.start(static_cast<int>(node_of(vertex)));
}

TOPOMP_INLINE std::vector<int> graph_parts::parts_of(std::size_t level, int ranks) {
    const auto& sizes = request_.parts[level];
    std::vector<int> result;
    for (; ranks > 0; ranks -= result.back())
        result.push_back(sizes[next_[level]++]);
    return result;
}

TOPOMP_INLINE void graph_parts::add(mapping_cost& sum, const mapping_cost& more) {
    sum.jsum += more.jsum;
    sum.jmax = std::max(sum.jmax, more.jmax);
}

TOPOMP_INLINE void graph_parts::add(const graph_plan& made) {
    add(plan_.parts[0].now, made.now.cost);
    add(plan_.parts[0].blocked, made.blocked.cost);
    for (std::size_t level = 1; level < plan_.parts.size(); ++level) {
        add(plan_.parts[level].now, made.parts[level - 1].now);
        add(plan_.parts[level].blocked, made.parts[level - 1].blocked);
    }
}

} // namespace topo::detail
