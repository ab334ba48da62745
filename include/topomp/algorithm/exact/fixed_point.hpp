// SPDX-License-Identifier: BSL-1.0
/// @file
/// Sums of numbers of any exponents as integers of 128 bits, which tell what they do not hold.
#pragma once

#include <topomp/algorithm/exact_sum.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace topo::detail {

/// Which bits the fixed-point numbers of some columns have: the same on all ranks.
struct fixed_point_scale {
    /// The greatest position of a column's operands on any rank, see `float_parts`.
    std::vector<std::uint16_t> tops{};
    int rank_bits = 0; ///< the bits of a number of ranks, less one
};

/// The sums of eight columns, each a fixed-point number of 128 bits. Its highest bits are those that the
/// greatest operand needs, and what follows from the number of ranks. An operand is rounded down to its
/// lowest bit, and below that bit the number counts how many operands lost anything by that. So the exact sum
/// is between two numbers, and known where both round to the same (A. Ziv, 'Fast evaluation of elementary
/// mathematical functions with correctly rounded last bit', 1991). For 1024 ranks 53 bits are below the
/// mantissa of the greatest `double`.
///
/// Addition is of integers: associative and commutative.
/// @see J. Demmel and H. D. Nguyen, 'Parallel reproducible summation' (2015): bits by the greatest operand
template <class T>
struct fixed_point {
    using number = T;
    using scale = fixed_point_scale;
    static constexpr std::size_t columns = 8;
    using words = std::array<std::uint64_t, columns>;

    words low{}, high{};

    fixed_point() = default;
    /// Of one rank's operands. @param first the column of the first of them
    fixed_point(const T* from, std::size_t count, const scale& by, std::size_t first) {
        for (std::size_t i = 0; i < count; ++i)
            load(i, from[i], by.tops[first + i], by.rank_bits);
    }

    /// What `tops` has the greatest of.
    static std::uint16_t top_of(T value) {
        return static_cast<std::uint16_t>(float_parts<T>{value}.position());
    }

    /// Adds the operands of one more rank.
    void add(const T* from, std::size_t count, const scale& by, std::size_t first) {
        *this += fixed_point{from, count, by, first};
    }

    fixed_point& operator+=(const fixed_point& other) {
        for (std::size_t i = 0; i < columns; ++i) {
            low[i] += other.low[i];
            high[i] += other.high[i] + static_cast<std::uint64_t>(low[i] < other.low[i]);
        }
        return *this;
    }
    friend fixed_point operator+(fixed_point left, const fixed_point& right) { return left += right; }

    /// Writes the sums of the first columns, rounded once; NaN where the sum is not known or not finite.
    void write(T* to, std::size_t count, const scale& by, std::size_t first) const {
        for (std::size_t i = 0; i < count; ++i)
            to[i] = value(i, by.tops[first + i], by.rank_bits);
    }

private:
    __extension__ using wide = unsigned __int128;
    using parts = float_parts<T>;

    static constexpr int digits = parts::digits;
    static constexpr int not_finite = parts::greatest_exponent - 1; ///< a position

    /// The bits that count, below those of the value.
    static int count_bits(int rank_bits) { return rank_bits + 1; }
    /// How many bits of the value are below the mantissa of the greatest operand.
    static int bits_below(int rank_bits) { return 127 - count_bits(rank_bits) - rank_bits - digits; }

    void load(std::size_t i, T value, int top, int rank_bits) {
        if (top == not_finite) return;
        const parts operand{value};
        wide magnitude = operand.mantissa();
        const int shift = bits_below(rank_bits) - (top - operand.position());
        bool is_inexact = false;
        if (shift >= 0) {
            magnitude <<= shift;
        } else {
            const wide kept = shift <= -digits ? 0 : magnitude >> -shift;
            is_inexact = shift <= -digits ? magnitude != 0 : kept << -shift != magnitude;
            magnitude = kept;
        }
        if (operand.is_negative) magnitude = is_inexact ? ~magnitude : ~magnitude + 1;
        const wide all = (magnitude << count_bits(rank_bits)) + static_cast<wide>(is_inexact);
        low[i] = static_cast<std::uint64_t>(all);
        high[i] = static_cast<std::uint64_t>(all >> 64);
    }

    T value(std::size_t i, int top, int rank_bits) const {
        constexpr T unknown = std::numeric_limits<T>::quiet_NaN();
        if (top == not_finite) return unknown;
        const int counts = count_bits(rank_bits);
        const wide all = wide{high[i]} << 64 | low[i];
        const bool is_negative = high[i] >> 63 != 0;
        const wide sum = is_negative ? ~(~all >> counts) : all >> counts;
        const wide inexact = all & ((wide{1} << counts) - 1);
        const int power = parts::lowest + top - bits_below(rank_bits);
        const T least = rounded(sum, power);
        return inexact == 0 || rounded(sum + inexact, power) == least ? least : unknown;
    }

    static int width(wide magnitude) {
        const auto upper = static_cast<std::uint64_t>(magnitude >> 64);
        return upper != 0 ? 64 + static_cast<int>(std::bit_width(upper))
                          : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(magnitude)));
    }

    /// A number in two's complement times a power of two, to nearest, ties to even. Of a subnormal one the
    /// bits below the least number are zeros.
    static T rounded(wide sum, int power) {
        const bool is_negative = sum >> 127 != 0;
        const wide magnitude = is_negative ? ~sum + 1 : sum;
        const int excess = width(magnitude) - digits;
        auto mantissa = static_cast<std::uint64_t>(magnitude);
        if (excess > 0) {
            mantissa = static_cast<std::uint64_t>(magnitude >> excess);
            const wide rest = magnitude & ((wide{1} << excess) - 1), half = wide{1} << (excess - 1);
            if (rest > half || (rest == half && (mantissa & 1) != 0)) ++mantissa;
            power += excess;
        }
        const T result = scaled(static_cast<T>(mantissa), power);
        return is_negative ? -result : result;
    }
};

} // namespace topo::detail
