// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/cost/links.hpp>
#include <topomp/mapping/graph/bisection.hpp>
#include <topomp/mapping/grid/boxes.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE grid_orders::grid_orders(const grid& cells, choice wanted) : cells_(cells) {
    if (wanted == choice::few) {
        for (std::size_t i = 0; i < cells.dimensions(); ++i) {
            walk_order order = row_major(cells.dimensions());
            std::rotate(order.dimensions.begin(), order.dimensions.begin() + static_cast<std::ptrdiff_t>(i),
                        order.dimensions.end());
            order.is_serpentine = true;
            orders_.push_back(std::move(order));
        }
        return;
    }
    for (const bool begins_at_end : {false, true}) {
        if (begins_at_end && wanted == choice::half) break;
        for (const bool is_serpentine : {true, false})
            for (auto& each : dimension_orders(cells.dimensions()))
                orders_.push_back({std::move(each), is_serpentine, begins_at_end});
    }
    if (wanted == choice::backwards) std::ranges::reverse(orders_);
}

TOPOMP_INLINE box grid_orders::bounds(std::span<const int> region) const {
    box around{0, std::vector<int>(cells_.dimensions())};
    for (std::size_t i = 0; i < cells_.dimensions(); ++i) {
        int low = cells_.extent(i), high = 0;
        for (const int cell : region) {
            const int at = cell / cells_.stride(i) % cells_.extent(i);
            low = std::min(low, at);
            high = std::max(high, at);
        }
        around.corner += low * cells_.stride(i);
        around.extents[i] = high - low + 1;
    }
    return around;
}

TOPOMP_INLINE node_map bisection_map(const grid_problem& problem) {
    using choice = grid_orders::choice;
    const grid& cells = problem.cells;
    const grid_links links{cells, problem.pattern};
    std::int64_t levels = 1;
    while (problem.nodes.count() >> levels != 0)
        ++levels;
    // So that a million cells take about a second.
    const std::int64_t budget = 100'000'000;
    const auto visits = levels * cells.size() * std::ssize(problem.pattern.offsets());
    const auto affordable = budget / visits, all = static_cast<std::int64_t>(grid_orders::most(cells));
    node_map best;
    mapping_cost lowest;
    const auto run = [&](choice wanted) {
        node_map map(static_cast<std::size_t>(cells.size()));
        std::vector<int> numbers(map.size());
        std::iota(numbers.begin(), numbers.end(), 0);
        bisection{links, problem.nodes, grid_orders{cells, wanted}}.run(map, std::move(numbers),
                                                                        {0, problem.nodes.count()});
        const mapping_cost cost = cost_of(links, map, problem.nodes.count());
        if (!best.empty() && !is_lower(cost, lowest, problem.first)) return;
        best = std::move(map);
        lowest = cost;
    };
    run(all <= affordable ? choice::all : all / 2 <= affordable ? choice::half : choice::few);
    if (2 * all <= affordable) run(choice::backwards);
    return best;
}

} // namespace topo::detail
