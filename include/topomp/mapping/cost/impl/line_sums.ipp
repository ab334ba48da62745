// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/cost/line_sums.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace topo::detail {

TOPOMP_INLINE least_lines_sum::least_lines_sum(std::span<const line_range> lines, int most_visits)
    : most_visits_(most_visits) {
    for (const auto& each : lines)
        if (each.weight > 0)
            lines_.push_back(each);
        else
            free_ += std::log(static_cast<double>(each.most)); // as many as there can be
    dimensions_ = lines.size();
}

TOPOMP_INLINE std::optional<std::int64_t> least_lines_sum::operator()(int cells) {
    const double needed =
        static_cast<double>(dimensions_ - 1) * std::log(static_cast<double>(cells)) - free_ - tiny;
    const auto real = relaxed(0, needed);
    if (!real) return std::nullopt;
    constexpr int few = 256;
    if (cells <= few) {
        search(0, needed, 0);
        if (visits_ < most_visits_) {
            if (best_ == std::numeric_limits<std::int64_t>::max()) return std::nullopt;
            return best_;
        }
    }
    return rounded_up(*real);
}

TOPOMP_INLINE std::int64_t least_lines_sum::rounded_up(double value) {
    return static_cast<std::int64_t>(std::ceil(value * (1 - tiny) - tiny));
}

TOPOMP_INLINE double least_lines_sum::number_at(const line_range& line, double price) {
    return std::clamp(price / static_cast<double>(line.weight), static_cast<double>(line.least),
                      static_cast<double>(line.most));
}

TOPOMP_INLINE std::optional<double> least_lines_sum::relaxed(std::size_t first, double needed) {
    const auto rest = std::span{lines_}.subspan(first);
    double most = 0, least = 0, low = 0, high = 0;
    for (const auto& each : rest) {
        most += std::log(static_cast<double>(each.most));
        least += std::log(static_cast<double>(each.least));
        high = std::max(high, static_cast<double>(each.weight) * static_cast<double>(each.most));
    }
    if (most < needed) return std::nullopt;
    double price = 0;
    if (least < needed) {
        for (int i = 0; i < 60; ++i) {
            price = (low + high) / 2;
            double sum = 0;
            for (const auto& each : rest)
                sum += std::log(number_at(each, price));
            (sum < needed ? low : high) = price;
        }
    }
    price_ = price;
    double value = price * needed;
    for (const auto& each : rest) {
        const double number = number_at(each, price);
        value += static_cast<double>(each.weight) * number - price * std::log(number);
    }
    return value;
}

TOPOMP_INLINE void least_lines_sum::search(std::size_t dimension, double needed, std::int64_t sum) {
    if (++visits_ >= most_visits_) return;
    if (dimension == lines_.size()) {
        if (needed <= 0) best_ = std::min(best_, sum);
        return;
    }
    const line_range& line = lines_[dimension];
    const auto with = [&](std::int64_t number) -> std::optional<double> {
        const auto rest = relaxed(dimension + 1, needed - std::log(static_cast<double>(number)));
        if (!rest) return std::nullopt;
        return *rest + static_cast<double>(sum) + static_cast<double>(line.weight * number);
    };
    const auto go_on = [&](std::int64_t number) {
        search(dimension + 1, needed - std::log(static_cast<double>(number)), sum + line.weight * number);
    };
    // From the best real number in both directions: the sum is convex in it.
    if (!relaxed(dimension, needed)) return;
    const auto start = static_cast<std::int64_t>(number_at(line, price_));
    for (std::int64_t number = start; number <= line.most; ++number) {
        const auto lowest = with(number);
        if (number > start && lowest && rounded_up(*lowest) >= best_) break;
        if (lowest) go_on(number);
    }
    for (std::int64_t number = start - 1; number >= line.least; --number) {
        const auto lowest = with(number);
        if (!lowest || rounded_up(*lowest) >= best_) break; // the others cannot make up for less
        go_on(number);
    }
}

} // namespace topo::detail
