// SPDX-License-Identifier: BSL-1.0
/// @file
/// Boxes of cells, and the orders in which one can walk over them.
#pragma once

#include <topomp/mapping/grid.hpp>

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace topo::detail {

/// A part of a grid with a lowest cell and extents.
struct box {
    int corner = 0;
    std::vector<int> extents;

    int volume() const { return std::accumulate(extents.begin(), extents.end(), 1, std::multiplies<int>{}); }
};

inline box whole_box(const grid& cells) { return {0, cells.extents()}; }

/// Two boxes: what lies below a cut, and the rest.
std::pair<box, box> cut_box(const grid& cells, const box& whole, std::size_t dimension, int below);

/// How to walk over a box.
struct walk_order {
    std::vector<std::size_t> dimensions; ///< the slowest first
    bool is_serpentine = false;          ///< turns at the end of each row, rather than to begin at its start
    bool begins_at_end = false;          ///< of the slowest dimension
};

/// The order of the cells' numbers.
walk_order row_major(std::size_t dimensions);

/// All orders of so many dimensions; for more than three those that differ in the slowest one.
std::vector<std::vector<std::size_t>> dimension_orders(std::size_t dimensions);

/// Calls `visit(cell)` for each cell of a box.
template <class Visit>
void walk(const grid& cells, const box& part, const walk_order& order, Visit visit) {
    const std::size_t count = part.extents.size();
    std::vector<int> at(count), direction(count, 1);
    int cell = part.corner;
    if (order.begins_at_end) {
        const std::size_t slowest = order.dimensions.front();
        at[slowest] = part.extents[slowest] - 1;
        direction[slowest] = -1;
        cell += at[slowest] * cells.stride(slowest);
    }
    while (true) {
        visit(cell);
        std::size_t i = count;
        while (i-- > 0) {
            const std::size_t dimension = order.dimensions[i];
            const int next = at[dimension] + direction[dimension];
            if (next >= 0 && next < part.extents[dimension]) {
                at[dimension] = next;
                cell += direction[dimension] * cells.stride(dimension);
                break;
            }
            if (i == 0) return;
            if (order.is_serpentine) {
                direction[dimension] = -direction[dimension];
            } else {
                cell -= at[dimension] * cells.stride(dimension);
                at[dimension] = 0;
            }
        }
    }
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/grid/impl/boxes.ipp>
#endif
