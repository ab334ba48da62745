// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithms that map a grid, by name, and the choice of the best one.
#pragma once

#include <topomp/mapping/mapping_problem.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace topo {

/// An algorithm that maps a grid to nodes.
enum class mapping_algorithm : unsigned char {
    automatic,  ///< all of the following, of which the best result is refined and used
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

/// A mapping, its cost and its algorithm.
struct mapped_grid {
    node_map map;
    mapping_cost cost;
    mapping_algorithm winner = mapping_algorithm::blocked;
    bool is_refined = false;
};

/// One candidate alone; nothing if it is not available for these nodes.
std::optional<node_map> candidate_map(const grid_problem& problem, mapping_algorithm which);

/// The best of all candidates, refined; of equals the first. At most three maps are stored at any time.
///
/// Of few cells each candidate is refined: what is worse before can be better afterwards. Of many, where
/// nodes differ in size, also the best of those candidates that take nodes of any sizes.
mapped_grid best_grid_map(const grid_problem& problem);

/// Why a candidate is not available.
std::string why_not(mapping_algorithm which);

/// @throws argument_error if the algorithm is not available for these nodes
mapped_grid map_grid(const grid_problem& problem, mapping_algorithm algorithm);

} // namespace detail

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/impl/grid_candidates.ipp>
#endif
