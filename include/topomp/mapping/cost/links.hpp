// SPDX-License-Identifier: BSL-1.0
/// @file
/// The links of grids and graphs from one end: which other cells or vertices each exchanges data with; and
/// the cost of a mapping.
#pragma once

#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace topo::detail {

/// The links of a grid's cells. A link joins two cells if one of them sends to the other.
class grid_links {
public:
    grid_links(const grid& cells, const stencil& pattern);

    int size() const { return cells_.size(); }

    /// Calls `visit(other, out, in)` for each link of a cell: the weight sent to and received from the other
    /// end. An end can be the cell itself, and can come more than once.
    template <class Visit>
    void visit(int cell, Visit visit) const {
        std::array<int, grid::most_dimensions> where;
        int rest = cell;
        for (std::size_t i = 0; i < cells_.dimensions(); ++i) {
            where[i] = rest / cells_.stride(i);
            rest -= where[i] * cells_.stride(i);
        }
        for (const link& each : links_) {
            int other = cell;
            bool is_inside = true;
            for (std::size_t m = each.first_move; m < each.end_move; ++m) {
                const auto [dimension, step] = moves_[m];
                const int extent = cells_.extent(dimension);
                std::int64_t to = std::int64_t{where[dimension]} + step;
                if (to < 0 || to >= extent) {
                    is_inside = cells_.is_periodic(dimension);
                    if (!is_inside) break;
                    to %= extent;
                    if (to < 0) to += extent;
                }
                other += (static_cast<int>(to) - where[dimension]) * cells_.stride(dimension);
            }
            if (is_inside) visit(other, each.out, each.in);
        }
    }

private:
    struct move {
        std::size_t dimension;
        int step;
        friend bool operator==(const move&, const move&) = default;
    };
    struct link {
        std::size_t first_move, end_move;
        std::int64_t out, in;
    };

    link& at(std::span<const int> steps);

    grid cells_;
    std::vector<move> moves_;
    std::vector<link> links_;
};

/// What a mapping costs. @cost linear in links
template <class Links>
mapping_cost cost_of(const Links& links, const node_map& map, int nodes) {
    std::vector<std::int64_t> sent(static_cast<std::size_t>(nodes));
    for (int cell = 0; cell < links.size(); ++cell) {
        const int node = map[static_cast<std::size_t>(cell)];
        std::int64_t away = 0;
        links.visit(cell, [&](int other, std::int64_t out, std::int64_t) {
            if (map[static_cast<std::size_t>(other)] != node) away += out;
        });
        sent[static_cast<std::size_t>(node)] += away;
    }
    mapping_cost cost;
    for (const std::int64_t each : sent) {
        cost.jsum += each;
        cost.jmax = std::max(cost.jmax, each);
    }
    return cost;
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/cost/impl/links.ipp>
#endif
