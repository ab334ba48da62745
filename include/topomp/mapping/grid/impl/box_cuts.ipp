// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/grid/box_cuts.hpp>
#include <topomp/mapping/stencil.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE std::vector<cut_load> cut_loads(const stencil& pattern, const std::vector<int>& extents,
                                              std::size_t dimension) {
    std::vector<cut_load> loads;
    for (const auto& each : pattern.offsets()) {
        if (each.steps[dimension] == 0) continue;
        std::int64_t load = each.weight;
        for (std::size_t i = 0; i < extents.size(); ++i)
            if (i != dimension)
                load *= std::max<std::int64_t>(0, extents[i] - std::abs(std::int64_t{each.steps[i]}));
        const int step = std::abs(each.steps[dimension]);
        const auto same = std::ranges::find(loads, step, &cut_load::step);
        if (same != loads.end())
            same->load += load;
        else
            loads.push_back({step, load});
    }
    return loads;
}

TOPOMP_INLINE std::int64_t cost_of_cut(const std::vector<cut_load>& loads, int extent, int below) {
    std::int64_t cost = 0;
    for (const auto [step, load] : loads)
        cost += load * std::max(0, std::min(below, extent - step) - std::max(0, below - step));
    return cost;
}

} // namespace topo::detail
