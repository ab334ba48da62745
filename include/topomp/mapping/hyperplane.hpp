// SPDX-License-Identifier: BSL-1.0
/// @file
/// Cutting the grid near its middle, where both sides are whole nodes.
#pragma once

#include <topomp/mapping/boxes.hpp>
#include <topomp/mapping/kd_tree.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

namespace topo::detail {

/// The hyperplanes of Hunold, von Kirchbach, Lehr, Schulz and Traeff (2020), for nodes of any sizes.
class hyperplanes {
public:
    explicit hyperplanes(const grid_problem& problem)
        : problem_(problem), weights_(crossing_weights(problem.pattern)) {}

    node_map map() const {
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

private:
    struct part {
        box cells;
        int first, nodes;
    };
    struct cut {
        std::size_t dimension;
        int below;
        int node; ///< the first one above the cut
    };

    /// The dimensions of a part: the one first whose cut separates least; of equals, the largest.
    std::vector<std::size_t> preferred(const part& of) const {
        auto dimensions = row_major(of.cells.extents.size()).dimensions;
        std::ranges::stable_sort(dimensions, [&](std::size_t one, std::size_t other) {
            return of.cells.extents[one] * weights_[other] > of.cells.extents[other] * weights_[one];
        });
        return dimensions;
    }

    /// The node that is the first above a cut if whole nodes are below it.
    std::optional<int> node_behind(const part& of, int cells) const {
        const int ranks = problem_.nodes.start(of.first) + cells;
        const int node = problem_.nodes.node_at(ranks);
        if (problem_.nodes.start(node) != ranks) return std::nullopt;
        return node;
    }

    std::optional<cut> split(const part& of) const {
        const int volume = of.cells.volume();
        for (const std::size_t dimension : preferred(of)) {
            const int extent = of.cells.extents[dimension], layer = volume / extent;
            for (int below = extent / 2; below > 0; --below)
                for (const int each : {below, extent - below})
                    if (const auto node = node_behind(of, each * layer)) return cut{dimension, each, *node};
        }
        return std::nullopt;
    }

    /// What cannot be cut is walked over, the least preferred dimension fastest.
    void fill(const part& of, node_map& result) const {
        walk_order order{preferred(of), true, false};
        node_filler filler{problem_.nodes, result, of.first};
        walk(problem_.cells, of.cells, order, [&](int cell) { filler.add(cell); });
    }

    const grid_problem& problem_;
    std::vector<std::int64_t> weights_;
};

inline node_map hyperplane_map(const grid_problem& problem) { return hyperplanes{problem}.map(); }

} // namespace topo::detail
