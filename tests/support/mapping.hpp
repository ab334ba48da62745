// SPDX-License-Identifier: BSL-1.0
/// @file
/// What tests of mappings share: lists of nodes, and costs by counting.
#pragma once

#include <topomp/mapping/grid.hpp>
#include <topomp/mapping/mapping_problem.hpp>
#include <topomp/mapping/stencil.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace topo_test {

/// `count` nodes of `size` ranks each, and perhaps a smaller last one.
inline std::vector<int> nodes_of(int count, int size, int last = 0) {
    std::vector<int> sizes(static_cast<std::size_t>(count), size);
    if (last > 0) sizes.push_back(last);
    return sizes;
}

/// The cost of a mapping, offset by offset and cell by cell.
inline topo::mapping_cost counted_cost(const topo::grid& cells, const topo::stencil& pattern,
                                       const std::vector<int>& node, std::size_t nodes) {
    std::vector<std::int64_t> sent(nodes);
    for (int cell = 0; cell < cells.size(); ++cell)
        for (const auto& each : pattern.offsets()) {
            const int other = cells.neighbour(cell, each.steps);
            if (other == topo::grid::outside) continue;
            const auto here = static_cast<std::size_t>(node[static_cast<std::size_t>(cell)]);
            if (node[static_cast<std::size_t>(other)] != static_cast<int>(here)) sent[here] += each.weight;
        }
    topo::mapping_cost cost;
    for (const std::int64_t each : sent) {
        cost.jsum += each;
        cost.jmax = std::max(cost.jmax, each);
    }
    return cost;
}

} // namespace topo_test
