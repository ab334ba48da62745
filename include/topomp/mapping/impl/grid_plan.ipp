// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/mapping/cost/lower_bound.hpp>
#include <topomp/mapping/cost/quality.hpp>
#include <topomp/mapping/grid.hpp>
#include <topomp/mapping/grid/choose_dims.hpp>
#include <topomp/mapping/grid/grid_parts.hpp>
#include <topomp/mapping/grid/grid_planner.hpp>
#include <topomp/mapping/grid_candidates.hpp>
#include <topomp/mapping/grid_plan.hpp>
#include <topomp/mapping/mapping_problem.hpp>
#include <topomp/mapping/mapping_quality.hpp>
#include <topomp/mapping/stencil.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace topo {

TOPOMP_INLINE grid_plan grid_plan::of(const grid_request& request) {
    return detail::grid_planner{request}.plan();
}

} // namespace topo

namespace topo {

TOPOMP_INLINE std::vector<int> grid_plan::cells_of_ranks() const {
    std::vector<int> result(owner.size());
    for (std::size_t cell = 0; cell < owner.size(); ++cell)
        result[static_cast<std::size_t>(owner[cell])] = static_cast<int>(cell);
    return result;
}

} // namespace topo

namespace topo::detail {

TOPOMP_INLINE grid_planner::grid_planner(const grid_request& request)
    : request_(request), nodes_(checked_sizes("topo::grid_plan", "node", request.node_sizes)) {}

TOPOMP_INLINE grid_plan grid_planner::plan() const {
    if (const std::size_t periods = request_.periods.size(); periods > 0 && periods != request_.dims.size())
        fail(std::to_string(periods) + (periods == 1 ? " period" : " periods"),
             "the grid has " + std::to_string(request_.dims.size()) + " dimensions");
    const grid cells{chosen_dims(), request_.periods};
    const grid_problem problem{cells, pattern(), nodes_, request_.first};
    mapped_grid best = map_grid(problem, request_.algorithm);
    const grid_links links{problem.cells, problem.pattern};
    const auto partners = std::ssize(problem.pattern.offsets());
    grid_plan result{cells,
                     problem.pattern,
                     {},
                     std::move(best.map),
                     best.winner,
                     best.is_refined,
                     {},
                     quality_of(links, blocked_map(nodes_), nodes_.count(), partners),
                     jsum_bound{problem}(),
                     {}};
    result.now = quality_of(links, result.node, nodes_.count(), partners);
    number_ranks(problem, result);
    return result;
}

TOPOMP_INLINE void grid_planner::fail(const std::string& object, const std::string& problem) {
    throw argument_error("topo::grid_plan", object, problem);
}

TOPOMP_INLINE stencil grid_planner::pattern() const {
    if (!request_.pattern) return stencil::star(request_.dims.size());
    if (request_.pattern->dimensions() != request_.dims.size())
        fail("stencil of " + std::to_string(request_.pattern->dimensions()) + " dimensions",
             "the grid has " + std::to_string(request_.dims.size()));
    return *request_.pattern;
}

TOPOMP_INLINE std::vector<int> grid_planner::chosen_dims() const {
    const auto& dims = request_.dims;
    const std::string text = "dims " + extents_text(dims);
    if (dims.empty()) fail("dims", "a grid has at least one dimension");
    std::int64_t product = 1;
    bool is_open = false;
    for (const int each : dims) {
        if (each < 0) fail(text, std::to_string(each) + " is negative; 0 leaves an extent open");
        is_open = is_open || each == 0;
        product *= each == 0 ? 1 : each;
        if (product > std::numeric_limits<int>::max()) fail(text, "more cells than an int can number");
    }
    const int ranks = nodes_.total();
    if (is_open ? ranks % product == 0 : product == ranks) {
        if (!is_open) return dims;
        if (!request_.periods.empty() && request_.periods.size() != dims.size())
            return grid{std::vector<int>(dims.size(), 1), request_.periods}.extents(); // throws
        return dims_choice{dims, request_.periods, pattern(), nodes_}.extents();
    }
    fail(text, std::to_string(product) + (is_open ? " does not divide the " : " cells for the ") +
                   std::to_string(ranks) + " ranks of all nodes; the nearest grids are " +
                   nearest_grids(dims, ranks));
}

TOPOMP_INLINE void grid_planner::number_ranks(const grid_problem& problem, grid_plan& plan) const {
    node_map map = plan.node;
    node_list wholes = nodes_;
    for (const auto& sizes : request_.parts) {
        node_list parts = checked_parts("topo::grid_plan", sizes, wholes);
        grid_parts divider{problem, parts};
        node_map divided = divider.divide(wholes, map);
        node_map plain = rows_in_order(parts, wholes, map);
        plan.parts.push_back({divider.cost_of_parts(map, divided), divider.cost_of_parts(map, plain)});
        map = std::move(divided);
        wholes = std::move(parts);
    }
    std::vector<int> next;
    for (int i = 0; i < wholes.count(); ++i)
        next.push_back(wholes.start(i));
    plan.owner.reserve(map.size());
    for (const int part : map)
        plan.owner.push_back(next[static_cast<std::size_t>(part)]++);
}

TOPOMP_INLINE node_map grid_planner::rows_in_order(const node_list& parts, const node_list& wholes,
                                                   const node_map& map) {
    std::vector<int> next, part;
    for (int i = 0; i < wholes.count(); ++i) {
        next.push_back(wholes.start(i));
        part.push_back(parts.node_at(wholes.start(i)));
    }
    node_map result;
    result.reserve(map.size());
    for (const int whole : map) {
        int& rank = next[static_cast<std::size_t>(whole)];
        int& at = part[static_cast<std::size_t>(whole)];
        if (rank == parts.start(at) + parts.size(at)) ++at;
        result.push_back(at);
        ++rank;
    }
    return result;
}

} // namespace topo::detail
