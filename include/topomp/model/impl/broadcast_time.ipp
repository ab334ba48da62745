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
#include <vector>

namespace topo::model {

namespace detail {

/// Groups of a level are alike: their ranks have the message a time after the first of them has sent its own
/// messages further out, so that one group of each level is looked at.
TOPOMP_INLINE double one_segment_time(std::span<const any_shape> shapes, std::span<const level_cost> levels) {
    struct holder {
        int member;
        double first;
    };
    std::vector<holder> open;
    std::vector<int> children;
    double inside = 0; // that time in the next level
    for (std::size_t depth = levels.size(); depth-- > 0;) {
        const auto& [members, message] = levels[depth];
        const any_shape& shape = shapes[shapes.size() == 1 ? 0 : depth];
        const double held = message.held < 0 ? message.gap : message.held;
        const bool is_innermost = ranks_inside(levels, depth) == 1;
        double last = 0;
        open.push_back({0, 0});
        while (!open.empty()) {
            const holder here = open.back();
            open.pop_back();
            children.clear();
            shape.children(here.member, members, children);
            double free = here.first, link_free = here.first;
            for (const int child : children) {
                const double start = std::max(free, link_free);
                open.push_back({child, start + message.time});
                free = start + held;
                link_free = start + message.gap;
            }
            last = std::max(last, is_innermost ? here.first : free + inside);
        }
        inside = last;
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
