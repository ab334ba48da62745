// SPDX-License-Identifier: BSL-1.0
/// @file
/// Sums that are not rounded yet, as long as two doubles hold them.
#pragma once

#include <topomp/algorithm/exact/column_sums.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace topo::detail {

/// The exact sums of eight columns: of `double` each as an expansion of two numbers, of `float` as one
/// `double`. A sum that these do not hold is NaN from then on, as are infinities. Addition is commutative;
/// it is associative up to which numbers hold a sum, and up to where it becomes NaN.
/// @see J. R. Shewchuk, 'Adaptive precision floating-point arithmetic' (1997), section 2; `two_sum`
template <class T>
struct expansions {
    using number = T;
    static constexpr std::size_t columns = 8; ///< for vector units
    static constexpr std::size_t terms = std::is_same_v<T, double> ? 2 : 1;
    using numbers = std::array<double, columns>;

    std::array<numbers, terms> data{};

    expansions() = default;
    /// Of one rank's operands.
    expansions(const T* from, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            data[0][i] = from[i];
    }

    /// Adds the operands of one more rank.
    void add(const T* from, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            double lost = two_sum(data[0][i], from[i]);
            if constexpr (terms == 2) lost = two_sum(data[1][i], lost);
            note(i, lost);
        }
    }

    expansions& operator+=(const expansions& other) {
        for (std::size_t i = 0; i < columns; ++i) {
            double lost = two_sum(data[0][i], other.data[0][i]);
            if constexpr (terms == 2) {
                const double error = lost;
                lost = std::fabs(two_sum(data[1][i], other.data[1][i]));
                lost += std::fabs(two_sum(data[1][i], error));
            }
            note(i, lost);
        }
        return *this;
    }
    friend expansions operator+(expansions left, const expansions& right) { return left += right; }

    /// The sum of a column, rounded once; NaN or an infinity if it is not held.
    T value(std::size_t column) const {
        double sum = data[0][column];
        if constexpr (terms == 2) sum += data[1][column];
        return static_cast<T>(sum + 0.0); // not -0
    }
    /// Writes those of the first columns.
    void write(T* to, std::size_t count) const {
        std::array<T, columns> all;
        for (std::size_t i = 0; i < columns; ++i) // all, for vector units
            all[i] = value(i);
        std::copy_n(all.begin(), count, to);
    }

private:
    void note(std::size_t column, double lost) {
        double& last = data[terms - 1][column];
        last = lost == 0 ? last : std::numeric_limits<double>::quiet_NaN();
    }
};

} // namespace topo::detail
