// SPDX-License-Identifier: BSL-1.0
/// @file
/// The links of a graph's vertices, in the form that algorithms take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace topo {

/// A message from one vertex of a graph to another.
struct graph_edge {
    int from = 0;            ///< the vertex that sends
    int to = 0;              ///< the vertex that receives
    std::int64_t weight = 1; ///< the load, in a unit of the caller's
    friend bool operator==(const graph_edge&, const graph_edge&) = default;
};

namespace detail {

/// As `grid_links`, for edges in a list. Edges with the same ends are one link with their weights together;
/// edges from a vertex to itself are left out.
class graph_links {
public:
    graph_links(int vertices, const std::vector<graph_edge>& edges);

    int size() const { return static_cast<int>(first_.size()) - 1; }

    template <class Visit>
    void visit(int vertex, Visit visit) const {
        const auto v = static_cast<std::size_t>(vertex);
        for (std::size_t i = first_[v]; i < first_[v + 1]; ++i)
            visit(links_[i].other, links_[i].out, links_[i].in);
    }

private:
    struct link {
        int other;
        std::int64_t out, in;
    };

    /// One link for each other end, in ascending order.
    void merge();

    std::vector<std::size_t> first_; ///< of each vertex, where its links begin
    std::vector<link> links_;
};

} // namespace detail

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/impl/graph_links.ipp>
#endif
