// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/cost/links.hpp>
#include <topomp/mapping/grid/boxes.hpp>
#include <topomp/mapping/grid/kd_tree.hpp>
#include <topomp/mapping/grid/strips.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE strips::strips(const grid_problem& problem)
    : problem_(problem), weights_(crossing_weights(problem.pattern)) {}

TOPOMP_INLINE node_map strips::map(std::size_t tries) const {
    const auto divisions = promising(tries);
    const grid_links links{problem_.cells, problem_.pattern};
    node_map best = filled(divisions.front());
    if (divisions.size() == 1) return best;
    mapping_cost lowest = cost_of(links, best, problem_.nodes.count());
    for (std::size_t i = 1; i < divisions.size(); ++i) {
        node_map next = filled(divisions[i]);
        const mapping_cost cost = cost_of(links, next, problem_.nodes.count());
        if (!is_lower(cost, lowest, problem_.first)) continue;
        lowest = cost;
        best = std::move(next);
    }
    return best;
}

TOPOMP_INLINE wide_integer strips::estimate(const division& of) const {
    const grid& cells = problem_.cells;
    const std::int64_t node = std::max(1, cells.size() / problem_.nodes.count());
    const std::int64_t layer = cells.size() / cells.extent(of.along);
    std::int64_t all = 1;
    wide_integer sum = 0;
    for (std::size_t i = 0; i < cells.dimensions(); ++i) {
        if (i == of.along) continue;
        all *= of.strips[i];
        if (of.strips[i] > 1)
            sum += wide_integer{weights_[i]} * (256 * node * of.strips[i] / cells.extent(i));
    }
    return sum + wide_integer{weights_[of.along]} * (256 * layer / all);
}

TOPOMP_INLINE std::vector<strips::division> strips::promising(std::size_t tries) const {
    const grid& cells = problem_.cells;
    std::vector<division> best;
    division next;
    const auto keep = [&] {
        next.estimate = estimate(next);
        if (best.size() == tries && next.estimate >= best.back().estimate) return;
        if (best.size() == tries) best.pop_back();
        best.insert(std::ranges::upper_bound(best, next.estimate, {}, &division::estimate), next);
    };
    const auto search = [&](const auto& again, std::size_t dimension) -> void {
        if (dimension == cells.dimensions()) return keep();
        const int most = dimension == next.along ? 1 : cells.extent(dimension);
        for (int count = 1; count <= most; ++count) {
            next.strips[dimension] = count;
            again(again, dimension + 1);
        }
    };
    for (next.along = 0; next.along < cells.dimensions(); ++next.along) {
        next.strips.assign(cells.dimensions(), 1);
        search(search, 0);
    }
    return best;
}

TOPOMP_INLINE node_map strips::filled(const division& kind) const {
    const grid& cells = problem_.cells;
    node_map map(static_cast<std::size_t>(cells.size()));
    node_filler filler{problem_.nodes, map};
    walk_order order{{kind.along}, true, false};
    for (std::size_t i = 0; i < cells.dimensions(); ++i)
        if (i != kind.along) order.dimensions.push_back(i);
    const grid numbers{kind.strips};
    walk_order over = row_major(cells.dimensions());
    over.is_serpentine = true;
    walk(numbers, whole_box(numbers), over, [&](int number) {
        const auto at = numbers.coordinates(number);
        box strip;
        for (std::size_t i = 0; i < cells.dimensions(); ++i) {
            const auto bound = [&](int index) {
                return static_cast<int>(std::int64_t{cells.extent(i)} * index / kind.strips[i]);
            };
            strip.corner += bound(at[i]) * cells.stride(i);
            strip.extents.push_back(bound(at[i] + 1) - bound(at[i]));
        }
        walk(cells, strip, order, [&](int cell) { filler.add(cell); });
        order.begins_at_end = !order.begins_at_end;
    });
    return map;
}

TOPOMP_INLINE node_map strips_map(const grid_problem& problem) {
    return strips{problem}.map(static_cast<std::size_t>(std::clamp((1 << 19) / problem.cells.size(), 8, 64)));
}

} // namespace topo::detail
