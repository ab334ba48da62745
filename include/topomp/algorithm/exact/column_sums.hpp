// SPDX-License-Identifier: BSL-1.0
/// @file
/// The exact sums of the columns of several rows, as they are added to each other element by element.
#pragma once

#include <topomp/algorithm/exact_sum.hpp>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>

namespace topo::detail {

/// Whether `a + b` is rounded to the precision of its operands, and is not transformed. Where it is not, all
/// sums are of integers. Parts of -ffast-math have macros of their own: GCC's for sums in another order, and
/// that for numbers that are never infinite nor NaN.
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__NO_SIGNED_ZEROS__) ||               \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0) || FLT_EVAL_METHOD != 0
inline constexpr bool rounds_each_sum = false;
#else
inline constexpr bool rounds_each_sum = true;
#endif

/// Adds a number to a sum. @return the rounding error, which is a double
/// @see D. Knuth, 'The Art of Computer Programming', volume 2, 4.2.2 (TwoSum)
inline double two_sum(double& sum, double value) {
#ifdef __clang__
#pragma clang fp reassociate(off) // has no macro there
#endif
    const double all = sum + value, part = all - sum;
    const double error = (sum - (all - part)) + (value - part);
    sum = all;
    return error;
}

/// The sums of up to `length` columns at a time, with the rounding error of each: two numbers, whose sum is
/// exact as long as `is_lost` is zero. All loops are over columns, for vector units.
///
/// The errors of sums of double are added up as a double; those of float, which are added as double, must be
/// zero, for else the result would be rounded twice.
template <class T>
class column_tile {
public:
    static constexpr std::size_t length = 256;

    void start(const T* row, std::size_t columns) {
        for (std::size_t i = 0; i < columns; ++i) {
            sum_[i] = row[i];
            error_[i] = 0;
            lost_[i] = 0;
        }
    }

    void add(const T* row, std::size_t columns) {
        for (std::size_t i = 0; i < columns; ++i) {
            const double value = row[i], error = two_sum(sum_[i], value);
            if constexpr (std::is_same_v<T, double>) {
                lost_[i] += std::fabs(two_sum(error_[i], error));
            } else {
                lost_[i] += std::fabs(error);
            }
        }
    }

    /// Writes the sums so far. @return whether all are exact
    bool write(T* to, std::size_t columns) const {
        double lost = 0;
        for (std::size_t i = 0; i < columns; ++i) {
            to[i] = static_cast<T>(sum_[i] + error_[i] + 0.0); // not -0
            lost += lost_[i] + (to[i] - to[i]);                // infinities and NaN count as lost
        }
        return lost == 0;
    }

    bool is_exact(std::size_t column, T written) const { return lost_[column] + (written - written) == 0; }

private:
    std::array<double, length> sum_, error_,
        lost_; ///< lost: not zero if a bit was, NaN if a sum is not finite
};

/// The same NaN for all.
template <class T>
T without_payload(T value) {
    return value == value ? value : std::numeric_limits<T>::quiet_NaN();
}

/// The exact sum of one column of the first rows. @param row `row(r)` is the address of row r
template <class T, class Row>
T column_sum(const Row& row, std::size_t rows, std::size_t column) {
    exact_sum<T> all;
    for (std::size_t r = 0; r < rows; ++r)
        all.add(row(r)[column]);
    return all.value();
}

/// The exact sum of each column, rounded once.
///
/// @param row `row(r)` is the address of row r, of `columns` numbers @param to may be one of the rows
/// @cost two TwoSums for each number, none where there are two rows; a column whose numbers differ so much
/// that two doubles do not hold the sum takes an `exact_sum`
template <class T, class Row>
void column_sums(const Row& row, std::size_t rows, std::size_t columns, T* to) {
    column_tile<T> tile;
    std::array<T, column_tile<T>::length> sums;
    for (std::size_t first = 0; first < columns; first += tile.length) {
        const std::size_t count = std::min(tile.length, columns - first);
        if (rounds_each_sum && rows == 2) { // one addition is the exact sum, rounded
            const T *const one = row(0) + first, *const other = row(1) + first;
            for (std::size_t i = 0; i < count; ++i)
                sums[i] = without_payload(one[i] + other[i] + T{0});
        } else {
            bool is_exact = false;
            if constexpr (rounds_each_sum) {
                tile.start(row(0) + first, count);
                for (std::size_t r = 1; r < rows; ++r)
                    tile.add(row(r) + first, count);
                is_exact = tile.write(sums.data(), count);
            }
            for (std::size_t i = 0; !is_exact && i < count; ++i)
                if (!rounds_each_sum || !tile.is_exact(i, sums[i]))
                    sums[i] = column_sum<T>(row, rows, first + i);
        }
        std::copy_n(sums.data(), count, to + first);
    }
}

/// The exact sums of the columns of the first one, two, ... rows. @param to `to(r)` is where those of rows 0
/// to r go
template <class T, class Row, class To>
void column_prefixes(const Row& row, std::size_t rows, std::size_t columns, const To& to) {
    column_tile<T> tile;
    for (std::size_t first = 0; first < columns; first += tile.length) {
        const std::size_t count = std::min(tile.length, columns - first);
        bool is_exact = rounds_each_sum;
        if constexpr (rounds_each_sum) {
            for (std::size_t r = 0; r < rows; ++r) {
                if (r == 0)
                    tile.start(row(r) + first, count);
                else
                    tile.add(row(r) + first, count);
                is_exact = tile.write(to(r) + first, count) && is_exact;
            }
        }
        for (std::size_t i = first; !is_exact && i < first + count; ++i) {
            if (rounds_each_sum && rows > 0 && tile.is_exact(i - first, to(rows - 1)[i])) continue;
            exact_sum<T> all;
            for (std::size_t r = 0; r < rows; ++r) {
                all.add(row(r)[i]);
                to(r)[i] = all.value();
            }
        }
    }
}

} // namespace topo::detail
