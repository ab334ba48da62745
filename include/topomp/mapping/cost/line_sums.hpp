// SPDX-License-Identifier: BSL-1.0
/// @file
/// The lowest weighted sum of numbers with a product of at least so much.
#pragma once

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
    explicit least_lines_sum(std::span<const line_range> lines, int most_visits);

    /// Nothing if there are no such numbers.
    std::optional<std::int64_t> operator()(int cells);

private:
    static constexpr double tiny = 1e-9;

    static std::int64_t rounded_up(double value);

    static double number_at(const line_range& line, double price);

    /// The lowest sum over real numbers from a dimension on, whose logarithms add up to @p needed: each
    /// number is the same price over its weight, within its range. Whatever the price, what comes out is not
    /// above the lowest sum (weak duality).
    std::optional<double> relaxed(std::size_t first, double needed);

    /// All numbers of a dimension with which the rest may still be below the best: these lie side by side.
    void search(std::size_t dimension, double needed, std::int64_t sum);

    std::vector<line_range> lines_;
    std::size_t dimensions_ = 0;
    double free_ = 0;
    std::int64_t best_ = std::numeric_limits<std::int64_t>::max();
    double price_ = 0; ///< of the last relaxed sum
    int most_visits_, visits_ = 0;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/cost/impl/line_sums.ipp>
#endif
