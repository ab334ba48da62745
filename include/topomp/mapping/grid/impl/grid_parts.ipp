// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/graph/bisection.hpp>
#include <topomp/mapping/grid/grid_parts.hpp>
#include <topomp/mapping/grid_candidates.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE grid_parts::grid_parts(const grid_problem& problem, const node_list& parts)
    : problem_(problem), parts_(parts), links_(problem.cells, problem.pattern),
      bisect_(links_, parts_, grid_orders{problem_.cells, grid_orders::choice::half}) {}

TOPOMP_INLINE node_map grid_parts::divide(const node_list& wholes, const node_map& map) {
    // The cells of each whole, in order.
    std::vector<int> cells(map.size()), next;
    for (int whole = 0; whole < wholes.count(); ++whole)
        next.push_back(wholes.start(whole));
    for (int cell = 0; cell < problem_.cells.size(); ++cell)
        cells[static_cast<std::size_t>(
            next[static_cast<std::size_t>(map[static_cast<std::size_t>(cell)])]++)] = cell;
    node_map result(map.size(), -1);
    for (int whole = 0; whole < wholes.count(); ++whole) {
        const int first = parts_.node_at(wholes.start(whole));
        const int end = parts_.node_at(wholes.start(whole) + wholes.size(whole));
        divide_one(std::span{cells}.subspan(static_cast<std::size_t>(wholes.start(whole)),
                                            static_cast<std::size_t>(wholes.size(whole))),
                   {first, end - first}, result);
    }
    return result;
}

TOPOMP_INLINE mapping_cost grid_parts::cost_of_parts(const node_map& wholes, const node_map& parts) const {
    std::vector<std::int64_t> sent(static_cast<std::size_t>(parts_.count()));
    for (int cell = 0; cell < problem_.cells.size(); ++cell)
        sent[static_cast<std::size_t>(parts[static_cast<std::size_t>(cell)])] += sent_by(cell, wholes, parts);
    mapping_cost cost;
    for (const std::int64_t each : sent) {
        cost.jsum += each;
        cost.jmax = std::max(cost.jmax, each);
    }
    return cost;
}

TOPOMP_INLINE std::int64_t grid_parts::sent_by(int cell, const node_map& wholes,
                                               const node_map& parts) const {
    std::int64_t sum = 0;
    links_.visit(cell, [&](int other, std::int64_t out, std::int64_t) {
        if (wholes[static_cast<std::size_t>(other)] == wholes[static_cast<std::size_t>(cell)] &&
            parts[static_cast<std::size_t>(other)] != parts[static_cast<std::size_t>(cell)])
            sum += out;
    });
    return sum;
}

TOPOMP_INLINE void grid_parts::divide_one(std::span<const int> cells, region wanted, node_map& result) {
    in_order(cells, wanted, result);
    if (wanted.nodes == 1) return;
    if (const auto extents = box_of(cells)) {
        const node_map& inner = box_map_of(*extents, wanted);
        for (std::size_t i = 0; i < cells.size(); ++i)
            result[static_cast<std::size_t>(cells[i])] = wanted.first + inner[i];
        return;
    }
    const mapping_cost before = cost_within(cells, wanted, result);
    bisect_.run(result, {cells.begin(), cells.end()}, wanted);
    if (!is_lower(cost_within(cells, wanted, result), before, problem_.first))
        in_order(cells, wanted, result);
}

TOPOMP_INLINE void grid_parts::in_order(std::span<const int> cells, region wanted, node_map& result) const {
    node_filler filler{parts_, result, wanted.first};
    for (const int cell : cells)
        filler.add(cell);
}

TOPOMP_INLINE mapping_cost grid_parts::cost_within(std::span<const int> cells, region wanted,
                                                   const node_map& parts) const {
    const auto is_inside = [&](int part) {
        return part >= wanted.first && part < wanted.first + wanted.nodes;
    };
    std::vector<std::int64_t> sent(static_cast<std::size_t>(wanted.nodes));
    for (const int cell : cells) {
        const int part = parts[static_cast<std::size_t>(cell)];
        links_.visit(cell, [&](int other, std::int64_t out, std::int64_t) {
            const int there = parts[static_cast<std::size_t>(other)];
            if (there != part && is_inside(there)) sent[static_cast<std::size_t>(part - wanted.first)] += out;
        });
    }
    mapping_cost cost;
    for (const std::int64_t each : sent) {
        cost.jsum += each;
        cost.jmax = std::max(cost.jmax, each);
    }
    return cost;
}

TOPOMP_INLINE std::optional<std::vector<int>> grid_parts::box_of(std::span<const int> cells) const {
    const grid& all = problem_.cells;
    std::vector<int> extents;
    std::size_t volume = 1;
    for (std::size_t i = 0; i < all.dimensions(); ++i) {
        int low = all.extent(i), high = 0;
        for (const int cell : cells) {
            const int at = cell / all.stride(i) % all.extent(i);
            low = std::min(low, at);
            high = std::max(high, at);
        }
        extents.push_back(high - low + 1);
        volume *= static_cast<std::size_t>(extents.back());
        if (volume > cells.size()) return std::nullopt;
    }
    return extents;
}

TOPOMP_INLINE const node_map& grid_parts::box_map_of(const std::vector<int>& extents, region wanted) {
    const auto sizes = std::span{parts_.sizes()}.subspan(static_cast<std::size_t>(wanted.first),
                                                         static_cast<std::size_t>(wanted.nodes));
    std::pair key{extents, std::vector<int>(sizes.begin(), sizes.end())};
    const auto known = boxes_.find(key);
    if (known != boxes_.end()) return known->second;
    std::vector<bool> periods;
    for (std::size_t i = 0; i < extents.size(); ++i)
        periods.push_back(problem_.cells.is_periodic(i) && extents[i] == problem_.cells.extent(i));
    const grid_problem inner{grid{extents, periods}, problem_.pattern, node_list{sizes}, problem_.first};
    return boxes_.emplace(std::move(key), best_grid_map(inner).map).first->second;
}

} // namespace topo::detail
