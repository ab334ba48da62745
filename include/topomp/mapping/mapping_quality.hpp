// SPDX-License-Identifier: BSL-1.0
/// @file
/// How good a mapping is: its cost, and how many of a cell's partners are on its node.
#pragma once

#include <topomp/mapping/cost/links.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace topo {

/// How many partners the cells have.
struct partner_count {
    std::int64_t min = 0; ///< of the cell with the fewest
    std::int64_t max = 0; ///< of the cell with the most
    double mean = 0;      ///< over all cells
};

/// What a mapping costs, and the partners that cells have on their node and elsewhere. A partner beyond the
/// border of a grid counts as elsewhere, as in paper 3's table 3.
struct mapping_quality {
    mapping_cost cost;      ///< of the links between nodes
    partner_count on_node;  ///< partners on the cell's own node
    partner_count off_node; ///< partners elsewhere or beyond the border
};

namespace detail {

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

} // namespace detail

} // namespace topo
