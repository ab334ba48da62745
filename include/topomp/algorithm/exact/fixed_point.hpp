// SPDX-License-Identifier: BSL-1.0
/// @file
/// Sums of numbers of any exponents as integers, which report numbers that they cannot hold.
#pragma once

#include <topomp/algorithm/exact_sum.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace topo::detail {

/// The sums of eight columns, each a fixed-point number of 121 bits and a count of 7, with its own position:
/// that of the greatest operand at first, and one more whenever either would overflow. What a number has
/// below its lowest bit is rounded down, and the count says by how many units in that bit the exact sum is
/// greater at the most. So the exact sum is between two numbers, and known where both round to the same (A.
/// Ziv, 'Fast evaluation of elementary mathematical functions with correctly rounded last bit', 1991). 64
/// bits are below the mantissa of the greatest `double`, 56 where a thousand are as great.
///
/// Addition is commutative; it is associative up to which sums are known.
/// @see J. Demmel and H. D. Nguyen, 'Parallel reproducible summation' (2015): bits by the greatest operand
template <class T>
struct fixed_point {
    using number = T;
    static constexpr std::size_t columns = 8;
    using words = std::array<std::uint64_t, columns>;

    words low{}, high{};                       ///< the number above the count
    std::array<std::uint16_t, columns> tops{}; ///< positions, see `float_parts`

    fixed_point() = default;
    /// Of one rank's operands.
    fixed_point(const T* from, std::size_t count) { add(from, count); }

    /// Adds the operands of one more rank.
    void add(const T* from, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            add(i, from[i]);
    }

    fixed_point& operator+=(const fixed_point& other) {
        for (std::size_t i = 0; i < columns; ++i)
            add(i, other.all(i), other.tops[i]);
        return *this;
    }
    friend fixed_point operator+(fixed_point left, const fixed_point& right) { return left += right; }

    /// Writes the sums of the first columns, rounded once; NaN where the sum is not known or not finite.
    void write(T* to, std::size_t count) const {
        for (std::size_t i = 0; i < count; ++i)
            to[i] = value(i);
    }

private:
    __extension__ using wide = unsigned __int128;
    __extension__ using signed_wide = __int128;
    using parts = float_parts<T>;

    static constexpr int digits = parts::digits;
    static constexpr int count_bits = 7, value_bits = 128 - count_bits;
    /// Bits of the number below the mantissa of an operand at its position. Two bits remain for sums.
    static constexpr int bits_below = value_bits - 4 - digits;
    static constexpr int not_finite = 1 << 15; ///< a position from which on nothing is known

    static wide count_of(wide all) { return all & ((wide{1} << count_bits) - 1); }
    static wide value_of(wide all) { return static_cast<wide>(static_cast<signed_wide>(all) >> count_bits); }

    wide all(std::size_t i) const { return wide{high[i]} << 64 | low[i]; }
    void set(std::size_t i, wide to) {
        low[i] = static_cast<std::uint64_t>(to);
        high[i] = static_cast<std::uint64_t>(to >> 64);
    }

    /// The same number at a higher position. Numbers have at most `value_bits` - 2 bits and a sign.
    static wide raised(wide all, int by) {
        if (by == 0 || all == 0) return all;
        const int bits = std::min(by, value_bits - 1);
        const wide value = value_of(all), unit = wide{1} << bits;
        const wide inexact = ((value & (unit - 1)) + count_of(all) + unit - 1) >> bits;
        return static_cast<wide>(static_cast<signed_wide>(value) >> bits) << count_bits | inexact;
    }

    /// Whether a sum with it may overflow, or its count.
    static bool is_full(wide all) {
        return ((all ^ (all << 1)) >> 127) != 0 || (all >> (count_bits - 1) & 1) != 0;
    }

    void add(std::size_t i, wide other, int position) {
        const int top = std::max(int{tops[i]}, position);
        wide sum = raised(all(i), top - tops[i]) + raised(other, top - position);
        tops[i] = static_cast<std::uint16_t>(top);
        for (; is_full(sum) && top < not_finite; ++tops[i])
            sum = raised(sum, 1);
        set(i, sum);
    }

    /// An operand that is not above a position, as a number of that position.
    static wide placed(const parts& operand, int below) {
        const std::uint64_t mantissa = operand.mantissa();
        const wide sign = wide{0} - static_cast<wide>(operand.is_negative); // all bits or none
        const int lost = below - bits_below;
        if (lost <= 0) return ((wide{mantissa} << (count_bits - lost)) ^ sign) - sign;
        const std::uint64_t kept = lost < digits ? mantissa >> lost : 0;
        const bool is_inexact = lost < digits ? kept << lost != mantissa : mantissa != 0;
        const wide value = (wide{kept} ^ sign) - sign - (sign & static_cast<wide>(is_inexact));
        return value << count_bits | static_cast<wide>(is_inexact);
    }

    void add(std::size_t i, T value) {
        const parts operand{value};
        const int below = tops[i] - operand.position();
        if (!operand.is_finite() || below < 0) [[unlikely]]
            return add(i, placed(operand, 0), operand.is_finite() ? operand.position() : not_finite);
        const wide sum = all(i) + placed(operand, below);
        if (is_full(sum)) [[unlikely]]
            return add(i, placed(operand, below), tops[i]);
        set(i, sum);
    }

    T value(std::size_t i) const {
        constexpr T unknown = std::numeric_limits<T>::quiet_NaN();
        if (tops[i] >= not_finite) return unknown;
        const wide sum = value_of(all(i)), inexact = count_of(all(i));
        const int power = parts::lowest + tops[i] - bits_below;
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
        const T result = scaled<T>(mantissa, power);
        return is_negative ? -result : result;
    }
};

} // namespace topo::detail
