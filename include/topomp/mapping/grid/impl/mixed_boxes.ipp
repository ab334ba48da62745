// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/grid/box_cuts.hpp>
#include <topomp/mapping/grid/boxes.hpp>
#include <topomp/mapping/grid/equal_boxes.hpp>
#include <topomp/mapping/grid/mixed_boxes.hpp>
#include <topomp/mapping/grid/node_classes.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE std::optional<node_map> mixed_boxes::map() {
    const auto best = solve(problem_.cells.extents(), (1U << classes_.count()) - 1);
    if (!best) return std::nullopt;
    node_map map(static_cast<std::size_t>(problem_.cells.size()));
    fill(whole_box(problem_.cells), *best, map);
    return map;
}

TOPOMP_INLINE node_classes::mix mixed_boxes::nodes_of(unsigned classes) const {
    node_classes::mix nodes = classes_.all();
    for (std::size_t i = 0; i < classes_.count(); ++i)
        if ((classes >> i & 1U) == 0) nodes[i] = 0;
    return nodes;
}

TOPOMP_INLINE std::optional<mixed_boxes::division> mixed_boxes::solve(const std::vector<int>& extents,
                                                                      unsigned classes) {
    if (tilings_ > most_tilings) return std::nullopt;
    if ((classes & (classes - 1)) == 0) return tiled(extents, classes);
    std::optional<division> best;
    const int volume = box{0, extents}.volume();
    for (std::size_t i = 0; i < extents.size(); ++i)
        for (unsigned below = (classes - 1) & classes; below != 0; below = (below - 1) & classes) {
            const std::int64_t cells = classes_.cells(nodes_of(below));
            const int layer = volume / extents[i];
            if (cells % layer != 0) continue;
            division next;
            next.dimension = i;
            next.below = static_cast<int>(cells / layer);
            std::vector<int> part = extents;
            part[i] = next.below;
            auto lower = solve(part, below);
            if (!lower) continue;
            part[i] = extents[i] - next.below;
            auto upper = solve(part, classes & ~below);
            if (!upper) continue;
            next.cost = lower->cost + upper->cost +
                        cost_of_cut(cut_loads(problem_.pattern, extents, i), extents[i], next.below);
            if (best && next.cost >= best->cost) continue;
            next.lower = std::make_unique<division>(std::move(*lower));
            next.upper = std::make_unique<division>(std::move(*upper));
            best = std::move(next);
        }
    return best;
}

TOPOMP_INLINE std::optional<mixed_boxes::division> mixed_boxes::tiled(const std::vector<int>& extents,
                                                                      unsigned only) {
    ++tilings_;
    division made;
    while ((only >> made.which & 1U) == 0)
        ++made.which;
    const std::vector<int> sizes(classes_.nodes(made.which).size(), classes_.size(made.which));
    const grid_problem part{grid{extents}, problem_.pattern, node_list{sizes}, problem_.first};
    auto found = best_box(part);
    if (!found) return std::nullopt;
    made.cost = box_cost{part}(*found).jsum;
    made.box_extents = std::move(*found);
    return made;
}

TOPOMP_INLINE void mixed_boxes::fill(const box& where, const division& kind, node_map& map) const {
    if (kind.lower) {
        const auto [below, above] = cut_box(problem_.cells, where, kind.dimension, kind.below);
        fill(below, *kind.lower, map);
        return fill(above, *kind.upper, map);
    }
    const node_map local = map_of_boxes(grid{where.extents}, kind.box_extents);
    const auto& nodes = classes_.nodes(kind.which);
    std::size_t cell = 0;
    walk(problem_.cells, where, row_major(problem_.cells.dimensions()),
         [&](int at) { map[static_cast<std::size_t>(at)] = nodes[static_cast<std::size_t>(local[cell++])]; });
}

TOPOMP_INLINE std::optional<node_map> box_map(const grid_problem& problem) {
    if (const auto extents = best_box(problem)) return map_of_boxes(problem.cells, *extents);
    if (!node_classes::are_few(problem.nodes)) return std::nullopt;
    return mixed_boxes{problem}.map();
}

} // namespace topo::detail
