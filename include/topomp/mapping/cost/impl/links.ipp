// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/cost/links.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE grid_links::grid_links(const grid& cells, const stencil& pattern) : cells_(cells) {
    for (const auto& each : pattern.offsets()) {
        at(each.steps).out += each.weight;
        std::vector<int> opposite = each.steps;
        for (int& step : opposite)
            step = -step;
        at(opposite).in += each.weight;
    }
}

TOPOMP_INLINE grid_links::link& grid_links::at(std::span<const int> steps) {
    const std::size_t first = moves_.size();
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (steps[i] != 0) moves_.push_back({i, steps[i]});
    const std::span<const move> all{moves_};
    for (link& each : links_)
        if (std::ranges::equal(all.subspan(each.first_move, each.end_move - each.first_move),
                               all.subspan(first))) {
            moves_.resize(first);
            return each;
        }
    return links_.emplace_back(link{first, moves_.size(), 0, 0});
}

} // namespace topo::detail
