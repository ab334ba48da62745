// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/model/broadcast_time.hpp>
#include <topomp/model/detail/composed_tree.hpp>
#include <topomp/model/level_cost.hpp>
#include <topomp/model/tree_time.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace topo::model {

namespace detail {

/// Groups of a level are alike: their ranks have the message a time after the first of them has sent its own
/// messages further out, so that one group of each level is looked at.
TOPOMP_INLINE double one_segment_time(std::span<const any_shape> shapes, std::span<const level_cost> levels) {
    double inside = 0; // that time in the next level
    std::vector<int> children;
    for (std::size_t depth = levels.size(); depth-- > 0;) {
        const int members = levels[depth].members;
        const bool has_inside = ranks_inside(levels, depth) > 1;
        inside = tree_time(0, 1, [&](int member, auto send) {
            if (member >= members) return; // stands for all inside one
            children.clear();
            shapes[shapes.size() == 1 ? 0 : depth].children(member, members, children);
            for (const int child : children)
                send(child, levels[depth].message, 0);
            if (has_inside) send(members + member, {0, inside}, 1);
        });
    }
    return inside;
}

} // namespace detail

TOPOMP_INLINE double broadcast_time(std::span<const any_shape> shapes, std::span<const level_cost> levels,
                                    double segments) {
    if (segments == 1) return detail::one_segment_time(shapes, levels);
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
