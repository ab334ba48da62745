// SPDX-License-Identifier: BSL-1.0
/// @file
/// The vertices of each node divided once more, between its packages or NUMA nodes.
#pragma once

#include <topomp/mapping/graph_request.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

/// Maps the vertices of each node to its parts as those of a whole graph are mapped to nodes, and those of
/// parts to parts of them: each is a graph of its own, whose vertices have the numbers of the node's ranks.
class graph_parts {
public:
    /// @throws argument_error if parts do not divide what they have to
    graph_parts(const graph_request& request, graph_plan& plan)
        : request_(request), plan_(plan),
          nodes_(checked_sizes("topo::graph_plan", "node", request.node_sizes)) {
        node_list wholes = nodes_;
        for (const auto& sizes : request.parts)
            wholes = checked_parts("topo::graph_plan", sizes, wholes);
        next_.resize(request.parts.size());
    }

    void run() {
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
            // Whatever has put vertices on nodes knows nothing of parts.
            inner.algorithm = request_.algorithm == graph_algorithm::blocked ? graph_algorithm::blocked
                                                                             : graph_algorithm::automatic;
            inner.effort = request_.effort;
            const graph_plan made = graph_plan::of(inner);
            add(made);
            for (std::size_t i = 0; i < made.owner.size(); ++i)
                plan_.owner[static_cast<std::size_t>(vertices[at][i])] = nodes_.start(node) + made.owner[i];
        }
    }

private:
    std::size_t node_of(int vertex) const {
        return static_cast<std::size_t>(plan_.node[static_cast<std::size_t>(vertex)]);
    }
    /// Of a vertex, its rank's number in the node.
    int number(int vertex) const {
        return plan_.owner[static_cast<std::size_t>(vertex)] -
               nodes_.start(static_cast<int>(node_of(vertex)));
    }

    /// The next sizes of a level that are so many ranks together.
    std::vector<int> parts_of(std::size_t level, int ranks) {
        const auto& sizes = request_.parts[level];
        std::vector<int> result;
        for (; ranks > 0; ranks -= result.back())
            result.push_back(sizes[next_[level]++]);
        return result;
    }

    static void add(mapping_cost& sum, const mapping_cost& more) {
        sum.jsum += more.jsum;
        sum.jmax = std::max(sum.jmax, more.jmax);
    }
    void add(const graph_plan& made) {
        add(plan_.parts[0].now, made.now.cost);
        add(plan_.parts[0].blocked, made.blocked.cost);
        for (std::size_t level = 1; level < plan_.parts.size(); ++level) {
            add(plan_.parts[level].now, made.parts[level - 1].now);
            add(plan_.parts[level].blocked, made.parts[level - 1].blocked);
        }
    }

    const graph_request& request_;
    graph_plan& plan_;
    node_list nodes_;
    std::vector<std::size_t> next_; ///< of each level, the first part that is not used up
};

} // namespace topo::detail
