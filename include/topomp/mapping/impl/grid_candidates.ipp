// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/cost/links.hpp>
#include <topomp/mapping/graph/bisection.hpp>
#include <topomp/mapping/graph/refine.hpp>
#include <topomp/mapping/graph/refine_map.hpp>
#include <topomp/mapping/grid/blocked.hpp>
#include <topomp/mapping/grid/equal_boxes.hpp>
#include <topomp/mapping/grid/exhaustive.hpp>
#include <topomp/mapping/grid/guillotine.hpp>
#include <topomp/mapping/grid/hyperplane.hpp>
#include <topomp/mapping/grid/kd_tree.hpp>
#include <topomp/mapping/grid/mixed_boxes.hpp>
#include <topomp/mapping/grid/strips.hpp>
#include <topomp/mapping/grid_candidates.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE std::optional<node_map> candidate_map(const grid_problem& problem, mapping_algorithm which) {
    switch (which) {
    case mapping_algorithm::gropp:
        return gropp_map(problem);
    case mapping_algorithm::box:
        return box_map(problem);
    case mapping_algorithm::guillotine:
        return guillotine_map(problem);
    case mapping_algorithm::kd_tree:
        return kd_tree_map(problem);
    case mapping_algorithm::hyperplane:
        return hyperplane_map(problem);
    case mapping_algorithm::strips:
        return strips_map(problem);
    case mapping_algorithm::bisection:
        return bisection_map(problem);
    case mapping_algorithm::exhaustive:
        return exhaustive_map(problem);
    default:
        return blocked_map(problem.nodes);
    }
}

TOPOMP_INLINE mapped_grid best_grid_map(const grid_problem& problem) {
    constexpr int few = 1 << 12;
    const grid_links links{problem.cells, problem.pattern};
    const int nodes = problem.nodes.count();
    mapped_grid best{blocked_map(problem.nodes), {}, mapping_algorithm::blocked, false};
    best.cost = cost_of(links, best.map, nodes);
    if (nodes == 1 || nodes == problem.cells.size()) return best;
    const bool refines_all = problem.cells.size() <= few;
    if (refines_all) best.is_refined = refine(links, best.map, nodes, problem.first, best.cost);
    std::optional<mapped_grid> of_any_sizes;
    const bool is_mixed = problem.nodes.common_size() == 0;
    for (std::size_t i = 2; i + 1 < mapping_algorithm_names.size(); ++i) {
        const mapping_algorithm which = mapping_algorithm_names[i].which;
        auto map = candidate_map(problem, which);
        if (!map) continue;
        mapped_grid next{std::move(*map), {}, which, false};
        next.cost = cost_of(links, next.map, nodes);
        if (refines_all && which != mapping_algorithm::exhaustive)
            next.is_refined = refine(links, next.map, nodes, problem.first, next.cost);
        const bool takes_any = which != mapping_algorithm::box && which != mapping_algorithm::guillotine;
        if (takes_any && of_any_sizes && is_lower(next.cost, of_any_sizes->cost, problem.first))
            of_any_sizes = next;
        if (!is_lower(next.cost, best.cost, problem.first)) continue;
        if (!takes_any && is_mixed && !refines_all && !of_any_sizes) of_any_sizes = std::move(best);
        best = std::move(next);
    }
    if (refines_all) return best;
    best.is_refined = refine(links, best.map, nodes, problem.first, best.cost);
    if (of_any_sizes && of_any_sizes->winner != best.winner) {
        of_any_sizes->is_refined = refine(links, of_any_sizes->map, nodes, problem.first, of_any_sizes->cost);
        if (is_lower(of_any_sizes->cost, best.cost, problem.first)) best = *std::move(of_any_sizes);
    }
    return best;
}

TOPOMP_INLINE std::string why_not(mapping_algorithm which) {
    if (which == mapping_algorithm::exhaustive) return "there are too many mappings to go through";
    if (which == mapping_algorithm::gropp)
        return "nodes have different sizes; bisection, hyperplane, kd_tree and strips take any";
    if (which == mapping_algorithm::box)
        return "no boxes of the nodes' sizes fill the grid; guillotine, bisection and strips may have other "
               "shapes";
    return "nodes have too many different sizes; bisection, hyperplane, kd_tree and strips take any";
}

TOPOMP_INLINE mapped_grid map_grid(const grid_problem& problem, mapping_algorithm algorithm) {
    if (algorithm == mapping_algorithm::automatic) return best_grid_map(problem);
    auto map = candidate_map(problem, algorithm);
    if (!map)
        throw argument_error("topo::grid_plan", std::string{"algorithm "}.append(to_string(algorithm)),
                             why_not(algorithm));
    const grid_links links{problem.cells, problem.pattern};
    mapped_grid result{std::move(*map), {}, algorithm, false};
    result.cost = cost_of(links, result.map, problem.nodes.count());
    if (algorithm == mapping_algorithm::refine)
        result.is_refined = refine(links, result.map, problem.nodes.count(), problem.first, result.cost);
    return result;
}

} // namespace topo::detail
