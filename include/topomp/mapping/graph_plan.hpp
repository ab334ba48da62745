// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which rank is which vertex of a graph, worked out without MPI.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/mapping/graph_links.hpp>
#include <topomp/mapping/graph_request.hpp>
#include <topomp/mapping/mapping_problem.hpp>
#include <topomp/mapping/mapping_quality.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace topo {

namespace detail {

class graph_planner {
public:
    explicit graph_planner(const graph_request& request);

    graph_plan plan() const;

private:
    struct candidate {
        node_map map;
        mapping_cost cost;
        graph_algorithm algorithm = graph_algorithm::blocked;
        bool is_refined = false;
    };

    candidate made_by(graph_algorithm which) const;

    candidate asked_for() const;

    std::optional<candidate> made_by_scotch() const;

    void refine_more(candidate& what, std::int64_t budget) const;

    void keep_better(candidate& best, candidate&& next) const;

    /// The best candidate, refined. With much effort each is refined too: what is worse before can be better
    /// afterwards.
    candidate automatic() const;

    /// Refined by itself, so that the result is never worse than without.
    void add_scotch(candidate& best) const;

    [[noreturn]] static void fail(const std::string& object, const std::string& problem);

    void check_vertex(const std::string& object, int vertex) const;

    std::vector<bool> checked_fixed() const;

    const std::vector<graph_edge>& checked_edges() const;

    bool is_fixed(int vertex) const { return fixed_[static_cast<std::size_t>(vertex)]; }

    mapping_quality quality(const node_map& map) const;

    /// How many ranks of each node are not fixed.
    std::vector<int> free_sizes() const;

    node_map grown() const;

    /// Of the free vertices, for the nodes with free ranks.
    node_map bisected() const;

    /// Fixed vertices stay on their ranks; the others take a node's other ranks in order.
    void number(graph_plan& plan) const;

    const graph_request& request_;
    node_list nodes_;
    std::vector<bool> fixed_;
    graph_links links_;
    node_map blocked_;
};

} // namespace detail

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/impl/graph_plan.ipp>
#endif
