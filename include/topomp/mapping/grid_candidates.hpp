// SPDX-License-Identifier: BSL-1.0
/// @file
/// The ways of mapping a grid by name, and the choice of the best one.
#pragma once

#include <topomp/mapping/bisection.hpp>
#include <topomp/mapping/blocked.hpp>
#include <topomp/mapping/equal_boxes.hpp>
#include <topomp/mapping/exhaustive.hpp>
#include <topomp/mapping/guillotine.hpp>
#include <topomp/mapping/hyperplane.hpp>
#include <topomp/mapping/kd_tree.hpp>
#include <topomp/mapping/links.hpp>
#include <topomp/mapping/mapping_problem.hpp>
#include <topomp/mapping/mixed_boxes.hpp>
#include <topomp/mapping/refine.hpp>
#include <topomp/mapping/strips.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace topo {

/// A way of mapping a grid to nodes.
enum class mapping_algorithm : unsigned char {
    automatic,  ///< all of the following, of which the best is refined and kept
    blocked,    ///< rank r has cell r
    gropp,      ///< a box for each node as paper 3 finds it; nodes of one size
    box,        ///< the best box for each node; nodes of one size, or of up to six in parts of the grid
    guillotine, ///< the best cuts from side to side; nodes of up to six sizes
    kd_tree,    ///< halves, down to single cells
    hyperplane, ///< cuts near the middle, where both sides are whole nodes
    strips,     ///< walks along strips
    bisection,  ///< walks over a part in many orders, cut near the middle where that separates least
    exhaustive, ///< the best of all mappings, if there are few
    refine      ///< `blocked`, with swaps as long as they lower the cost
};

namespace detail {

struct mapping_algorithm_name {
    mapping_algorithm which;
    std::string_view name;
};

inline constexpr std::array<mapping_algorithm_name, 11> mapping_algorithm_names{
    {{mapping_algorithm::automatic, "automatic"},
     {mapping_algorithm::blocked, "blocked"},
     {mapping_algorithm::gropp, "gropp"},
     {mapping_algorithm::box, "box"},
     {mapping_algorithm::guillotine, "guillotine"},
     {mapping_algorithm::kd_tree, "kd_tree"},
     {mapping_algorithm::hyperplane, "hyperplane"},
     {mapping_algorithm::strips, "strips"},
     {mapping_algorithm::bisection, "bisection"},
     {mapping_algorithm::exhaustive, "exhaustive"},
     {mapping_algorithm::refine, "refine"}}};

} // namespace detail

/// `kd_tree`
constexpr std::string_view to_string(mapping_algorithm which) {
    return detail::mapping_algorithm_names[static_cast<std::size_t>(which)].name;
}

/// The algorithm with a name, or nothing.
constexpr std::optional<mapping_algorithm> mapping_algorithm_from_string(std::string_view name) {
    for (const auto& each : detail::mapping_algorithm_names)
        if (each.name == name) return each.which;
    return std::nullopt;
}

namespace detail {

/// How many links a refinement may look at: about a second for a million cells, little for few.
inline constexpr std::int64_t refinement_budget = 50'000'000;

/// Swaps as long as that lowers the cost in the problem's order. @return whether it did
template <class Links>
bool refine(const Links& links, node_map& map, int nodes, mapping_goal first, mapping_cost& cost,
            std::vector<bool> fixed = {}, std::int64_t budget = refinement_budget) {
    node_map next = map;
    refinement<Links> swaps{links, next, nodes, std::move(fixed)};
    swaps.run(mapping_goal::total, budget);
    if (first == mapping_goal::greatest) swaps.run(mapping_goal::greatest, budget);
    const mapping_cost after = cost_of(links, next, nodes);
    if (!is_lower(after, cost, first)) return false;
    map = std::move(next);
    cost = after;
    return true;
}

/// A mapping, what it costs and who made it.
struct mapped_grid {
    node_map map;
    mapping_cost cost;
    mapping_algorithm winner = mapping_algorithm::blocked;
    bool is_refined = false;
};

/// One candidate alone; nothing if it cannot be had for these nodes.
inline std::optional<node_map> candidate_map(const grid_problem& problem, mapping_algorithm which) {
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

/// The best of all candidates, refined; of equals the first. Three maps are kept at any time.
///
/// Of few cells each candidate is refined: what is worse before can be better afterwards. Of many, where
/// nodes differ in size, also the best of those candidates that take nodes of any sizes.
inline mapped_grid best_grid_map(const grid_problem& problem) {
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

/// Why a candidate cannot be had.
inline std::string why_not(mapping_algorithm which) {
    if (which == mapping_algorithm::exhaustive) return "there are too many mappings to go through";
    if (which == mapping_algorithm::gropp)
        return "nodes have different sizes; bisection, hyperplane, kd_tree and strips take any";
    if (which == mapping_algorithm::box)
        return "no boxes of the nodes' sizes fill the grid; guillotine, bisection and strips may have other "
               "shapes";
    return "nodes have too many different sizes; bisection, hyperplane, kd_tree and strips take any";
}

/// @throws argument_error if the algorithm cannot be had for these nodes
inline mapped_grid map_grid(const grid_problem& problem, mapping_algorithm how) {
    if (how == mapping_algorithm::automatic) return best_grid_map(problem);
    auto map = candidate_map(problem, how);
    if (!map)
        throw argument_error("topo::grid_plan", std::string{"algorithm "}.append(to_string(how)),
                             why_not(how));
    const grid_links links{problem.cells, problem.pattern};
    mapped_grid result{std::move(*map), {}, how, false};
    result.cost = cost_of(links, result.map, problem.nodes.count());
    if (how == mapping_algorithm::refine)
        result.is_refined = refine(links, result.map, problem.nodes.count(), problem.first, result.cost);
    return result;
}

} // namespace detail

} // namespace topo
