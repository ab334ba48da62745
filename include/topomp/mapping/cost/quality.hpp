// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a map costs, and how many partners cells have.
#pragma once

#include <topomp/mapping/cost/links.hpp>
#include <topomp/mapping/mapping_problem.hpp>
#include <topomp/mapping/mapping_quality.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace topo::detail {

/// @param partners of every cell
template <class Links>
mapping_quality quality_of(const Links& links, const node_map& map, int nodes, std::int64_t partners) {
    mapping_quality result;
    result.cost = cost_of(links, map, nodes);
    partner_count& on = result.on_node;
    on.min = partners;
    std::int64_t sum = 0;
    for (int cell = 0; cell < links.size(); ++cell) {
        std::int64_t here = 0;
        links.visit(cell, [&](int other, std::int64_t out, std::int64_t) {
            if (out > 0 && map[static_cast<std::size_t>(other)] == map[static_cast<std::size_t>(cell)])
                ++here;
        });
        on.min = std::min(on.min, here);
        on.max = std::max(on.max, here);
        sum += here;
    }
    on.mean = static_cast<double>(sum) / links.size();
    result.off_node = {partners - on.max, partners - on.min,
                       static_cast<double>(partners * links.size() - sum) / links.size()};
    return result;
}

} // namespace topo::detail
