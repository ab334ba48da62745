// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/grid/boxes.hpp>
#include <topomp/mapping/grid/hyperplane.hpp>
#include <topomp/mapping/grid/kd_tree.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE hyperplanes::hyperplanes(const grid_problem& problem)
    : problem_(problem), weights_(crossing_weights(problem.pattern)) {}

TOPOMP_INLINE node_map hyperplanes::map() const {
    node_map result(static_cast<std::size_t>(problem_.cells.size()));
    std::vector<part> open{{whole_box(problem_.cells), 0, problem_.nodes.count()}};
    while (!open.empty()) {
        const part next = std::move(open.back());
        open.pop_back();
        const auto found = next.nodes > 2 ? split(next) : std::nullopt;
        if (!found) {
            fill(next, result);
            continue;
        }
        auto [below, above] = cut_box(problem_.cells, next.cells, found->dimension, found->below);
        open.push_back({std::move(above), found->node, next.first + next.nodes - found->node});
        open.push_back({std::move(below), next.first, found->node - next.first});
    }
    return result;
}

TOPOMP_INLINE std::vector<std::size_t> hyperplanes::preferred(const part& of) const {
    auto dimensions = row_major(of.cells.extents.size()).dimensions;
    std::ranges::stable_sort(dimensions, [&](std::size_t one, std::size_t other) {
        return of.cells.extents[one] * weights_[other] > of.cells.extents[other] * weights_[one];
    });
    return dimensions;
}

TOPOMP_INLINE std::optional<int> hyperplanes::node_behind(const part& of, int cells) const {
    const int ranks = problem_.nodes.start(of.first) + cells;
    const int node = problem_.nodes.node_at(ranks);
    if (problem_.nodes.start(node) != ranks) return std::nullopt;
    return node;
}

TOPOMP_INLINE std::optional<hyperplanes::cut> hyperplanes::split(const part& of) const {
    const int volume = of.cells.volume();
    for (const std::size_t dimension : preferred(of)) {
        const int extent = of.cells.extents[dimension], layer = volume / extent;
        for (int below = extent / 2; below > 0; --below)
            for (const int each : {below, extent - below})
                if (const auto node = node_behind(of, each * layer)) return cut{dimension, each, *node};
    }
    return std::nullopt;
}

TOPOMP_INLINE void hyperplanes::fill(const part& of, node_map& result) const {
    walk_order order{preferred(of), true, false};
    node_filler filler{problem_.nodes, result, of.first};
    walk(problem_.cells, of.cells, order, [&](int cell) { filler.add(cell); });
}

} // namespace topo::detail
