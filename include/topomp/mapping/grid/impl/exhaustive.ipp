// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/cost/links.hpp>
#include <topomp/mapping/grid/blocked.hpp>
#include <topomp/mapping/grid/exhaustive.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace topo::detail {

TOPOMP_INLINE bool has_few_mappings(const node_list& nodes, std::int64_t most) {
    std::int64_t ways = 1;
    for (int node = 0, cells = 0; node < nodes.count(); ++node)
        for (int i = 1; i <= nodes.size(node); ++i) {
            ways = ways * ++cells / i; // a binomial coefficient at every step
            if (ways > most) return false;
        }
    return true;
}

TOPOMP_INLINE std::optional<node_map> exhaustive_map(const grid_problem& problem) {
    constexpr std::int64_t most = 40'000; // three nodes with four cells each have 34,650
    if (!has_few_mappings(problem.nodes, most)) return std::nullopt;
    const grid_links links{problem.cells, problem.pattern};
    node_map map = blocked_map(problem.nodes), best = map;
    mapping_cost lowest = cost_of(links, map, problem.nodes.count());
    while (std::ranges::next_permutation(map).found) {
        const mapping_cost cost = cost_of(links, map, problem.nodes.count());
        if (!is_lower(cost, lowest, problem.first)) continue;
        lowest = cost;
        best = map;
    }
    return best;
}

} // namespace topo::detail
