// SPDX-License-Identifier: BSL-1.0
/// @file
/// The vertices of each node divided once more, between its packages or NUMA nodes.
#pragma once

#include <topomp/mapping/graph_request.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// Maps the vertices of each node to its parts as those of a whole graph are mapped to nodes, and those of
/// parts to parts of them: each is a graph of its own, whose vertices have the numbers of the node's ranks.
class graph_parts {
public:
    /// @throws argument_error if parts do not divide what they have to
    graph_parts(const graph_request& request, graph_plan& plan);

    void run();

private:
    std::size_t node_of(int vertex) const;
    /// Of a vertex, its rank's number in the node.
    int number(int vertex) const;

    /// The next sizes of a level that sum to so many ranks.
    std::vector<int> parts_of(std::size_t level, int ranks);

    static void add(mapping_cost& sum, const mapping_cost& more);
    void add(const graph_plan& made);

    const graph_request& request_;
    graph_plan& plan_;
    node_list nodes_;
    std::vector<std::size_t> next_; ///< of each level, the first part that is not used up
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/graph/impl/graph_parts.ipp>
#endif
