// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/model/broadcast_time.hpp>
#include <topomp/model/level_cost.hpp>
#include <topomp/model/tree_time.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

namespace topo::model {

TOPOMP_INLINE double broadcast_time(std::span<const any_shape> shapes, std::span<const level_cost> levels,
                                    double segments) {
    detail::composed_tree tree{shapes, levels};
    return tree_time(0, segments, [&](int rank, auto send) { tree.children(rank, send); });
}

TOPOMP_INLINE double split_broadcast_time(std::span<const any_shape> first, std::span<const any_shape> second,
                                          std::span<const level_cost> levels, double segments) {
    detail::composed_tree halves[]{{first, levels}, {second, levels}};
    double last = 0;
    for (const int half : {0, 1})
        last = std::max(last, tree_time(0, segments, [&](int rank, auto send) {
                            for (const int turn : {0, 1})
                                halves[turn].children(
                                    rank, [&](int child, const message_cost& cost, std::size_t level) {
                                        send(turn == half ? child : -1, cost, level);
                                    });
                        }));
    return last;
}

TOPOMP_INLINE double hierarchical_time(std::span<const any_shape> shapes, std::span<const level_cost> levels,
                                       double segments) {
    double sum = 0;
    for (std::size_t depth = 0; depth < levels.size(); ++depth)
        sum += broadcast_time(shapes.subspan(shapes.size() == 1 ? 0 : depth, 1), levels.subspan(depth, 1),
                              segments);
    return sum;
}

TOPOMP_INLINE double split_hierarchical_time(const any_shape& first, const any_shape& second,
                                             std::span<const level_cost> levels, double segments) {
    double sum = 0;
    for (std::size_t depth = 0; depth < levels.size(); ++depth)
        sum += split_broadcast_time({&first, 1}, {&second, 1}, levels.subspan(depth, 1), segments);
    return sum;
}

} // namespace topo::model
