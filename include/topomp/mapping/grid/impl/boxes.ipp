// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/grid.hpp>
#include <topomp/mapping/grid/boxes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE std::pair<box, box> cut_box(const grid& cells, const box& whole, std::size_t dimension,
                                          int below) {
    std::pair<box, box> parts{whole, whole};
    parts.first.extents[dimension] = below;
    parts.second.extents[dimension] -= below;
    parts.second.corner += below * cells.stride(dimension);
    return parts;
}

TOPOMP_INLINE walk_order row_major(std::size_t dimensions) {
    walk_order order{std::vector<std::size_t>(dimensions), false, false};
    std::iota(order.dimensions.begin(), order.dimensions.end(), std::size_t{0});
    return order;
}

TOPOMP_INLINE std::vector<std::vector<std::size_t>> dimension_orders(std::size_t dimensions) {
    std::vector<std::vector<std::size_t>> orders;
    std::vector<std::size_t> next = row_major(dimensions).dimensions;
    if (dimensions <= 3) {
        do
            orders.push_back(next);
        while (std::ranges::next_permutation(next).found);
        return orders;
    }
    for (std::size_t i = 0; i < dimensions; ++i) {
        std::rotate(next.begin(), next.begin() + static_cast<std::ptrdiff_t>(i),
                    next.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        orders.push_back(next);
        std::rotate(next.begin(), next.begin() + 1, next.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
    return orders;
}

} // namespace topo::detail
