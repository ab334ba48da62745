// SPDX-License-Identifier: BSL-1.0
/// @file
/// The lowest weighted sum of numbers with a product of at least so much.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace topo::detail {

/// How many lines along a dimension a set of cells may lie on, and what each costs.
struct line_range {
    std::int64_t weight = 0;
    std::int64_t least = 1, most = 1;
};

/// For any number of dimensions: whole numbers of lines within their ranges, whose product is at least
/// s^(d-1). With few cells they are searched for, else the sum over real numbers has to do, which is a little
/// lower. Rounding errors make the result lower only.
class least_lines_sum {
public:
    /// @param most_visits how long to search
    explicit least_lines_sum(std::span<const line_range> lines, int most_visits) : most_visits_(most_visits) {
        for (const auto& each : lines)
            if (each.weight > 0)
                lines_.push_back(each);
            else
                free_ += std::log(static_cast<double>(each.most)); // as many as there can be
        dimensions_ = lines.size();
    }

    /// Nothing if there are no such numbers.
    std::optional<std::int64_t> operator()(int cells) {
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

private:
    static constexpr double tiny = 1e-9;

    static std::int64_t rounded_up(double value) {
        return static_cast<std::int64_t>(std::ceil(value * (1 - tiny) - tiny));
    }

    static double number_at(const line_range& line, double price) {
        return std::clamp(price / static_cast<double>(line.weight), static_cast<double>(line.least),
                          static_cast<double>(line.most));
    }

    /// The lowest sum over real numbers from a dimension on, whose logarithms add up to @p needed: each
    /// number is the same price over its weight, within its range. Whatever the price, what comes out is not
    /// above the lowest sum (weak duality).
    std::optional<double> relaxed(std::size_t first, double needed) {
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

    /// All numbers of a dimension with which the rest may still be below the best: these lie side by side.
    void search(std::size_t dimension, double needed, std::int64_t sum) {
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
        // From the best real number on both ways: the sum is convex in it.
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

    std::vector<line_range> lines_;
    std::size_t dimensions_ = 0;
    double free_ = 0;
    std::int64_t best_ = std::numeric_limits<std::int64_t>::max();
    double price_ = 0; ///< of the last relaxed sum
    int most_visits_, visits_ = 0;
};

} // namespace topo::detail
