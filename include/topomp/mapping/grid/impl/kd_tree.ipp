// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/grid/boxes.hpp>
#include <topomp/mapping/grid/kd_tree.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE std::vector<std::int64_t> crossing_weights(const stencil& pattern) {
    std::vector<std::int64_t> weights(pattern.dimensions());
    for (const auto& each : pattern.offsets())
        for (std::size_t i = 0; i < weights.size(); ++i)
            if (each.steps[i] != 0) weights[i] += each.weight;
    return weights;
}

TOPOMP_INLINE node_map kd_tree_map(const grid_problem& problem) {
    const grid& cells = problem.cells;
    const auto weights = crossing_weights(problem.pattern);
    const auto is_before = [&](const box& part, std::size_t one, std::size_t other) {
        if (part.extents[one] == 1 || part.extents[other] == 1)
            return part.extents[one] > part.extents[other];
        return part.extents[one] * weights[other] > part.extents[other] * weights[one];
    };
    node_map map(static_cast<std::size_t>(cells.size()));
    node_filler filler{problem.nodes, map};
    std::vector<box> open{whole_box(cells)};
    while (!open.empty()) {
        const box part = std::move(open.back());
        open.pop_back();
        std::size_t widest = 0;
        for (std::size_t i = 1; i < cells.dimensions(); ++i)
            if (is_before(part, i, widest)) widest = i;
        if (part.extents[widest] == 1) {
            filler.add(part.corner);
            continue;
        }
        auto [below, above] = cut_box(cells, part, widest, part.extents[widest] / 2);
        open.push_back(std::move(above));
        open.push_back(std::move(below));
    }
    return map;
}

} // namespace topo::detail
