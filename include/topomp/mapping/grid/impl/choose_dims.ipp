// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/mapping/cost/lower_bound.hpp>
#include <topomp/mapping/grid/choose_dims.hpp>
#include <topomp/mapping/grid/equal_boxes.hpp>
#include <topomp/mapping/grid_candidates.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE std::string nearest_grids(const std::vector<int>& wanted, int cells) {
    std::vector<std::pair<std::int64_t, std::vector<int>>> nearest;
    each_grid(std::vector<int>(wanted.size()), cells, most_grids, [&](const std::vector<int>& extents) {
        std::int64_t distance = 0;
        for (std::size_t i = 0; i < wanted.size(); ++i)
            if (wanted[i] != 0) distance += std::abs(std::int64_t{extents[i]} - wanted[i]);
        nearest.emplace_back(distance, extents);
        std::ranges::stable_sort(nearest, {}, [](const auto& each) { return each.first; });
        if (nearest.size() > 3) nearest.pop_back();
    });
    std::string text;
    for (const auto& [distance, extents] : nearest)
        text.append(text.empty() ? "" : " or ").append(extents_text(extents));
    return text;
}

TOPOMP_INLINE dims_choice::dims_choice(std::vector<int> open, std::vector<bool> periods,
                                       const stencil& pattern, const node_list& nodes)
    : open_(std::move(open)), periods_(std::move(periods)), pattern_(pattern), nodes_(nodes) {}

TOPOMP_INLINE std::vector<int> dims_choice::extents() const {
    struct possible {
        std::int64_t load;
        std::vector<int> extents;
    };
    std::vector<possible> grids;
    each_grid(open_, nodes_.total(), most_grids, [&](const std::vector<int>& extents) {
        grids.push_back({total_load(extents), extents});
    });
    std::ranges::stable_sort(grids, {}, &possible::load);
    std::vector<int> best = grids.front().extents;
    if (grids.size() == 1) return best;
    std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
    std::int64_t budget = 4'000'000; // cells to map
    for (const auto& each : grids) {
        if (each.load >= lowest || budget < 0) break;
        const grid_problem problem{grid{each.extents, periods_}, scaled(each.extents), nodes_,
                                   mapping_goal::total};
        const auto bound = jsum_bound{problem}().value_or(0);
        if (each.load + 3 * bound >= lowest) continue;
        const std::int64_t load = each.load + 3 * quick_cost(problem);
        budget -= problem.cells.size();
        if (load >= lowest) continue;
        lowest = load;
        best = each.extents;
    }
    return best;
}

TOPOMP_INLINE stencil dims_choice::scaled(const std::vector<int>& extents) const {
    std::int64_t reduced = 1;
    while (pattern_.total_weight() / reduced * nodes_.total() > stencil::most_weight / 2)
        reduced *= 2;
    std::vector<stencil::offset> offsets = pattern_.offsets();
    for (auto& each : offsets) {
        std::int64_t factor = nodes_.total();
        for (std::size_t i = 0; i < extents.size(); ++i)
            if (each.steps[i] != 0) factor = std::min<std::int64_t>(factor, extents[i]);
        each.weight = std::max<std::int64_t>(1, each.weight * factor / reduced);
    }
    return stencil{std::move(offsets)};
}

TOPOMP_INLINE std::int64_t dims_choice::total_load(const std::vector<int>& extents) const {
    const stencil loads = scaled(extents);
    std::int64_t sum = 0;
    for (const auto& each : loads.offsets()) {
        std::int64_t pairs = each.weight;
        for (std::size_t i = 0; i < extents.size(); ++i)
            pairs *= !periods_.empty() && periods_[i]
                         ? extents[i]
                         : std::max<std::int64_t>(0, extents[i] - std::abs(std::int64_t{each.steps[i]}));
        sum += pairs;
    }
    return sum;
}

TOPOMP_INLINE std::int64_t dims_choice::quick_cost(const grid_problem& problem) {
    const grid_links links{problem.cells, problem.pattern};
    std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
    for (const auto which : {mapping_algorithm::box, mapping_algorithm::guillotine,
                             mapping_algorithm::hyperplane, mapping_algorithm::strips})
        if (const auto map = candidate_map(problem, which))
            lowest = std::min(lowest, cost_of(links, *map, problem.nodes.count()).jsum);
    return lowest;
}

} // namespace topo::detail
