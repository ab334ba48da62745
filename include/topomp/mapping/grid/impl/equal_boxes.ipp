// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/grid/boxes.hpp>
#include <topomp/mapping/grid/equal_boxes.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE node_map map_of_boxes(const grid& cells, const std::vector<int>& extents) {
    std::vector<int> numbers;
    for (std::size_t i = 0; i < cells.dimensions(); ++i)
        numbers.push_back(cells.extent(i) / extents[i]);
    const grid boxes{numbers};
    node_map map(static_cast<std::size_t>(cells.size()));
    for (int cell = 0; cell < cells.size(); ++cell) {
        int rest = cell, number = 0;
        for (std::size_t i = 0; i < cells.dimensions(); ++i) {
            number += rest / cells.stride(i) / extents[i] * boxes.stride(i);
            rest %= cells.stride(i);
        }
        map[static_cast<std::size_t>(cell)] = number;
    }
    return map;
}

TOPOMP_INLINE std::vector<int> prime_factors(int number) {
    std::vector<int> primes;
    for (int divisor = 2; divisor <= number / divisor; ++divisor)
        for (; number % divisor == 0; number /= divisor)
            primes.push_back(divisor);
    if (number > 1) primes.push_back(number);
    std::ranges::reverse(primes);
    return primes;
}

TOPOMP_INLINE std::optional<std::vector<int>> gropp_box(const grid& cells, const node_list& nodes) {
    if (nodes.common_size() == 0) return std::nullopt;
    std::vector<int> extents(cells.dimensions(), 1);
    for (const int prime : prime_factors(nodes.common_size())) {
        std::optional<std::size_t> chosen;
        for (std::size_t i = 0; i < extents.size(); ++i)
            if (cells.extent(i) / extents[i] % prime == 0 && (!chosen || extents[i] < extents[*chosen]))
                chosen = i;
        extents[chosen.value()] *= prime;
    }
    return extents;
}

TOPOMP_INLINE mapping_cost box_cost::operator()(const std::vector<int>& extents) const {
    mapping_cost cost;
    for (const auto& each : problem_.pattern.offsets()) {
        std::int64_t all = each.weight, inner = each.weight;
        for (std::size_t i = 0; i < extents.size(); ++i) {
            const int extent = problem_.cells.extent(i);
            all *= staying(i, each.steps[i], 0, extent);
            inner *= kept(i, each.steps[i], extents[i]) * (extent / extents[i]);
        }
        cost.jsum += all - inner;
    }
    std::vector<int> at(extents.size());
    cost.jmax = most_sent(extents, at, 0);
    return cost;
}

TOPOMP_INLINE int box_cost::staying(std::size_t dimension, int step, int first, int end) const {
    if (problem_.cells.is_periodic(dimension)) return end - first;
    const auto extent = std::int64_t{problem_.cells.extent(dimension)};
    const auto low = std::max<std::int64_t>(first, -std::int64_t{step});
    const auto high = std::min<std::int64_t>(end, extent - step);
    return static_cast<int>(std::max<std::int64_t>(0, high - low));
}

TOPOMP_INLINE std::int64_t box_cost::kept(std::size_t dimension, int step, int in_box) const {
    if (!problem_.cells.is_periodic(dimension))
        return std::max<std::int64_t>(0, in_box - std::abs(std::int64_t{step}));
    const int extent = problem_.cells.extent(dimension);
    const int forward = (step % extent + extent) % extent;
    return std::max(0, in_box - forward) + std::max(0, in_box - (extent - forward));
}

TOPOMP_INLINE std::int64_t box_cost::most_sent(const std::vector<int>& extents, std::vector<int>& at,
                                               std::size_t dimension) const {
    if (dimension == extents.size()) return sent(extents, at);
    const int count = problem_.cells.extent(dimension) / extents[dimension];
    std::int64_t most = 0;
    for (const int place : {count / 2, 0, count - 1}) {
        at[dimension] = place;
        most = std::max(most, most_sent(extents, at, dimension + 1));
        if (extents.size() > 4 || count == 1) break;
    }
    return most;
}

TOPOMP_INLINE std::int64_t box_cost::sent(const std::vector<int>& extents, const std::vector<int>& at) const {
    std::int64_t sum = 0;
    for (const auto& each : problem_.pattern.offsets()) {
        std::int64_t all = each.weight, inner = each.weight;
        for (std::size_t i = 0; i < extents.size(); ++i) {
            const int first = at[i] * extents[i];
            all *= staying(i, each.steps[i], first, first + extents[i]);
            inner *= kept(i, each.steps[i], extents[i]);
        }
        sum += all - inner;
    }
    return sum;
}

TOPOMP_INLINE std::optional<std::vector<int>> best_box(const grid_problem& problem) {
    if (problem.nodes.common_size() == 0) return std::nullopt;
    const grid& cells = problem.cells;
    const box_cost cost_of_box{problem};
    std::optional<std::vector<int>> best;
    mapping_cost lowest;
    std::vector<int> extents(cells.dimensions(), 1);
    const auto search = [&](const auto& again, std::size_t dimension, int left) -> void {
        if (dimension + 1 == cells.dimensions()) {
            if (cells.extent(dimension) % left != 0) return;
            extents[dimension] = left;
            const mapping_cost cost = cost_of_box(extents);
            if (best && !is_lower(cost, lowest, problem.first)) return;
            best = extents;
            lowest = cost;
            return;
        }
        for (int each = 1; each <= std::min(left, cells.extent(dimension)); ++each)
            if (left % each == 0 && cells.extent(dimension) % each == 0) {
                extents[dimension] = each;
                again(again, dimension + 1, left / each);
            }
    };
    search(search, 0, problem.nodes.common_size());
    return best;
}

TOPOMP_INLINE std::optional<node_map> gropp_map(const grid_problem& problem) {
    const auto extents = gropp_box(problem.cells, problem.nodes);
    if (!extents) return std::nullopt;
    return map_of_boxes(problem.cells, *extents);
}

} // namespace topo::detail
