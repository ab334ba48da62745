// SPDX-License-Identifier: BSL-1.0
/// @file
/// A map of nodes with swaps that make it better.
#pragma once

#include <topomp/mapping/cost/links.hpp>
#include <topomp/mapping/graph/refine.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace topo::detail {

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

} // namespace topo::detail
