// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/cost/line_sums.hpp>
#include <topomp/mapping/cost/lower_bound.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE jsum_bound::jsum_bound(const grid_problem& problem) : problem_(problem) {
    std::vector<std::size_t> place(problem.cells.dimensions());
    for (std::size_t i = 0; i < place.size(); ++i) {
        place[i] = dimensions_.size();
        if (problem.cells.extent(i) > 1) dimensions_.push_back(i);
    }
    weights_.resize(dimensions_.size());
    for (const auto& each : problem.pattern.offsets()) {
        const auto moves = std::ranges::find_if(each.steps, [](int step) { return step != 0; });
        const auto dimension = static_cast<std::size_t>(moves - each.steps.begin());
        if (std::abs(*moves) == 1 && std::ranges::count(each.steps, 0) + 1 == std::ssize(each.steps)) {
            if (problem.cells.extent(dimension) == 1) continue;
            weights_[place[dimension]] += each.weight;
            along_one_.push_back(&each);
        } else {
            others_.push_back(&each);
        }
    }
}

TOPOMP_INLINE std::optional<std::int64_t> jsum_bound::operator()() {
    const auto is_round = [&](std::size_t i) { return problem_.cells.is_periodic(i); };
    if (std::ranges::count_if(dimensions_, is_round) > 10) return std::nullopt;
    std::int64_t sum = 0;
    std::vector<int> sizes = problem_.nodes.sizes();
    std::ranges::sort(sizes);
    for (std::size_t i = 0, end = 0; i < sizes.size(); i = end) {
        while (end < sizes.size() && sizes[end] == sizes[i])
            ++end;
        sum += static_cast<std::int64_t>(end - i) * least_of_lines(sizes[i]);
    }
    // So far each line's end sends: those at the border of the grid send nothing.
    for (const auto* each : along_one_)
        sum -= missing(*each);
    sum = std::max<std::int64_t>(0, sum);
    for (const auto* each : others_)
        if (!comes_round(*each))
            sum += std::max<std::int64_t>(0, each->weight * problem_.nodes.count() - missing(*each));
    return sum;
}

TOPOMP_INLINE std::int64_t jsum_bound::least_of_lines(int cells) {
    if (weights_.empty()) return 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::vector<std::size_t> round;
    for (std::size_t i = 0; i < dimensions_.size(); ++i)
        if (problem_.cells.is_periodic(dimensions_[i])) round.push_back(i);
    std::vector<bool> is_circle(dimensions_.size());
    most_visits_ = 4000 >> round.size(); // some hundredths of a second for all cases
    for (unsigned circles = 0; circles < 1U << round.size(); ++circles) {
        for (std::size_t i = 0; i < round.size(); ++i)
            is_circle[round[i]] = (circles >> i & 1U) != 0;
        if (const auto sum = least_with_circles(cells, is_circle)) least = std::min(least, *sum);
    }
    return least;
}

TOPOMP_INLINE std::optional<std::int64_t> jsum_bound::least_with_circles(int cells,
                                                                         const std::vector<bool>& is_circle) {
    const grid& all = problem_.cells;
    const std::size_t dimensions = weights_.size();
    lines_.assign(dimensions, {});
    std::int64_t free = 0;
    for (std::size_t i = 0; i < dimensions; ++i) {
        const int extent = all.extent(dimensions_[i]);
        lines_[i].weight = weights_[i];
        lines_[i].least = std::max<std::int64_t>(lines_[i].least, (cells - 1) / extent + 1);
        lines_[i].most = std::min(cells, all.size() / extent);
        if (!is_circle[i]) continue;
        if (cells < extent) return std::nullopt;
        free += weights_[i] * (cells / extent);
        for (std::size_t j = 0; j < dimensions; ++j)
            if (j != i) lines_[j].least = std::max<std::int64_t>(lines_[j].least, extent);
    }
    for (const auto& each : lines_)
        if (each.least > each.most) return std::nullopt;
    best_ = std::numeric_limits<std::int64_t>::max();
    if (dimensions > 3) {
        const auto sum = least_lines_sum{lines_, most_visits_}(cells);
        return sum ? std::optional{std::max<std::int64_t>(0, *sum - free)} : std::nullopt;
    }
    std::int64_t needed = 1; // s^2 at most
    for (std::size_t i = 1; i < dimensions; ++i)
        needed *= cells;
    if (dimensions == 1) {
        best_ = lines_[0].weight * lines_[0].least;
    } else if (dimensions == 2) {
        try_two(lines_[0], lines_[1], needed, 0);
    } else {
        for (std::int64_t lines = lines_[0].least; lines <= lines_[0].most; ++lines)
            try_two(lines_[1], lines_[2], (needed + lines - 1) / lines, lines_[0].weight * lines);
    }
    if (best_ == std::numeric_limits<std::int64_t>::max()) return std::nullopt;
    return std::max<std::int64_t>(0, best_ - free);
}

TOPOMP_INLINE void jsum_bound::try_two(const line_range& one, const line_range& other, std::int64_t needed,
                                       std::int64_t sum) {
    if (sum >= best_) return;
    const auto try_one = [&](std::int64_t lines) {
        const std::int64_t with = std::max<std::int64_t>(other.least, (needed + lines - 1) / lines);
        if (with <= other.most) best_ = std::min(best_, sum + one.weight * lines + other.weight * with);
        return sum + one.weight * lines + other.weight * (needed / lines) < best_;
    };
    if (one.weight == 0) {
        try_one(one.most);
        return;
    }
    if (other.weight == 0) {
        const std::int64_t fewest = std::max(one.least, (needed + other.most - 1) / other.most);
        if (fewest <= one.most) try_one(fewest);
        return;
    }
    const auto start = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(std::sqrt(static_cast<double>(needed) * static_cast<double>(other.weight) /
                                            static_cast<double>(one.weight))),
        one.least, one.most);
    constexpr std::int64_t margin = 4; // for the rounding of the root
    for (std::int64_t lines = start; lines <= one.most; ++lines)
        if (!try_one(lines) && lines > start + margin) break;
    for (std::int64_t lines = start; lines >= one.least; --lines)
        if (!try_one(lines) && lines < start - margin) break;
}

TOPOMP_INLINE bool jsum_bound::comes_round(const stencil::offset& of) const {
    for (std::size_t i = 0; i < of.steps.size(); ++i)
        if (of.steps[i] != 0 && !problem_.cells.is_periodic(i)) return false;
    return true;
}

TOPOMP_INLINE std::int64_t jsum_bound::missing(const stencil::offset& of) const {
    const grid& all = problem_.cells;
    std::int64_t there = 1;
    for (std::size_t i = 0; i < all.dimensions(); ++i)
        there *= all.is_periodic(i)
                     ? all.extent(i)
                     : std::max<std::int64_t>(0, all.extent(i) - std::abs(std::int64_t{of.steps[i]}));
    return of.weight * (all.size() - there);
}

} // namespace topo::detail
