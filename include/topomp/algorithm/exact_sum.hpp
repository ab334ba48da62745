// SPDX-License-Identifier: BSL-1.0
/// @file
/// Sums of floating-point numbers that do not depend on the order of the numbers.
#pragma once

#include <topomp/core/detail/ranges.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

namespace topo {

namespace detail {

/// Adds numbers of so many words in two's complement, the lowest first.
template <std::size_t Words>
void add_words(std::uint64_t* to, const std::uint64_t* other) {
    unsigned carry = 0;
    for (std::size_t i = 0; i < Words; ++i) {
        const std::uint64_t sum = to[i] + other[i], all = sum + carry;
        carry = static_cast<unsigned>(sum < to[i]) | static_cast<unsigned>(all < sum);
        to[i] = all;
    }
}

/// A number of IEEE 754 taken apart.
template <class T>
struct float_parts {
    using bits = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;

    static constexpr int digits = std::numeric_limits<T>::digits;              // 53, the implicit one too
    static constexpr int exponents = static_cast<int>(sizeof(T)) * 8 - digits; // bits of the field: 11
    static constexpr int greatest_exponent = (1 << exponents) - 1;             // of infinities and NaN
    /// 2^lowest, which is 2^-1074, is the least number.
    static constexpr int lowest = std::numeric_limits<T>::min_exponent - digits;

    explicit float_parts(T value) {
        const auto raw = std::bit_cast<bits>(value);
        is_negative = raw >> (sizeof(T) * 8 - 1) != 0;
        field = static_cast<int>(raw >> (digits - 1)) & greatest_exponent;
        fraction = raw & ((bits{1} << (digits - 1)) - 1);
    }

    bool is_negative = false;
    int field = 0; ///< the exponent's
    std::uint64_t fraction = 0;

    bool is_finite() const { return field != greatest_exponent; }
    /// With the implicit bit. A finite number is `mantissa() * 2^(lowest + position())`.
    std::uint64_t mantissa() const {
        return field == 0 ? fraction : fraction | std::uint64_t{1} << (digits - 1);
    }
    int position() const { return field == 0 ? 0 : field - 1; }
};

/// `mantissa * 2^power`, where that is a number of the type or too great for one: then an infinity. Put
/// together as bits, because arithmetic may flush the least numbers to zero, as -ffast-math has it.
template <class T>
T scaled(std::uint64_t mantissa, int power) {
    using parts = float_parts<T>;
    constexpr int digits = parts::digits;
    int position = power - parts::lowest;
    const int shift = std::min(digits - static_cast<int>(std::bit_width(mantissa)), position);
    if (mantissa == 0 || shift <= -64) return T{0};
    mantissa = shift >= 0 ? mantissa << shift : mantissa >> -shift;
    position -= shift;
    if (position >= parts::greatest_exponent - 1) return std::numeric_limits<T>::infinity();
    const std::uint64_t field = static_cast<std::uint64_t>(position) << (digits - 1);
    return std::bit_cast<T>(static_cast<typename parts::bits>(field + mantissa));
}

} // namespace detail

/// The exact sum of any number of floating-point numbers: a fixed-point number that is wide enough for every
/// `T`, from the lowest bit of the least to 2^75 times the greatest. It is rounded once, when it is read.
///
/// Therefore `value()` is the same for any order and grouping of the numbers, and its error is at most half a
/// unit in the last place of the exact sum. (Binned summation is reproducible too and takes 6 words in place
/// of 35, but its error grows with the ratio of the greatest operand to the sum.) Addition is of integers:
/// no option of the compiler changes it.
///
/// | the numbers have | `value()` |
/// | --- | --- |
/// | a NaN, or infinities of both signs | the quiet NaN of `std::numeric_limits` |
/// | infinities of one sign | that infinity |
/// | an exact sum of zero, or are all -0 | +0 |
/// | an exact sum beyond the greatest finite number, after rounding | infinity; sums on the way do not matter
/// |
///
/// Two sums are equal if and only if their words are: one that is sent as it lies means the same elsewhere.
/// @tparam T `float` (56 bytes) or `double` (280 bytes) @cost of an addition a few ns
/// @see U. Kulisch, 'Computer Arithmetic and Validity' (2013), chapter 8 (complete arithmetic); R. Neal,
/// 'Fast exact summation using small and large superaccumulators' (2015); J. Demmel and H. D. Nguyen,
/// 'Parallel reproducible summation' (2015)
template <class T>
class exact_sum {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                  "topo::exact_sum: sums of float and of double");
    static_assert(std::numeric_limits<T>::is_iec559);
    using parts = detail::float_parts<T>;

    static constexpr int digits = parts::digits, lowest = parts::lowest; ///< bit 0 is 2^lowest

public:
    /// Of 64 bits, the lowest first, in two's complement.
    static constexpr std::size_t words = (parts::greatest_exponent + digits + 63 + 63) / 64;
    using storage = std::array<std::uint64_t, words + 1>; ///< and a word of flags

    exact_sum() = default;
    /// The sum of one number.
    explicit exact_sum(T value) { add(value); }

    /// Adds a number.
    void add(T value) {
        const parts number{value};
        if (!number.is_finite()) [[unlikely]] {
            data_[words] |= number.fraction != 0 ? a_nan
                            : number.is_negative ? a_negative_infinity
                                                 : an_infinity;
            return;
        }
        const std::uint64_t mantissa = number.mantissa();
        const int position = number.position();
        const int shift = position % 64;
        const auto word = static_cast<std::size_t>(position / 64);
        const std::uint64_t high = shift == 0 ? 0 : mantissa >> (64 - shift);
        if (number.is_negative)
            subtract_at(word, mantissa << shift, high);
        else
            add_at(word, mantissa << shift, high);
    }

    /// Adds numbers.
    template <std::ranges::input_range R>
    void add(const R& values) {
        for (const T each : values)
            add(each);
    }

    /// Adds another sum, exactly. @cost one pass over the words
    exact_sum& operator+=(const exact_sum& other) {
        detail::add_words<words>(data_.data(), other.data_.data());
        data_[words] |= other.data_[words];
        return *this;
    }
    /// The exact sum of two.
    friend exact_sum operator+(exact_sum left, const exact_sum& right) { return left += right; }
    friend bool operator==(const exact_sum&, const exact_sum&) = default;

    /// The sum, rounded to the nearest `T`, ties to even.
    T value() const {
        const std::uint64_t flags = data_[words];
        if (flags == an_infinity) return std::numeric_limits<T>::infinity();
        if (flags == a_negative_infinity) return -std::numeric_limits<T>::infinity();
        if (flags != 0) return std::numeric_limits<T>::quiet_NaN();
        storage all = data_;
        const bool is_negative = all[words - 1] >> 63 != 0;
        if (is_negative) negate(all);
        const T magnitude = rounded(all);
        return is_negative ? -magnitude : magnitude;
    }

    /// What is sent.
    const storage& data() const noexcept { return data_; }
    /// Where it is received.
    storage& data() noexcept { return data_; }

private:
    static constexpr std::uint64_t a_nan = 1, an_infinity = 2, a_negative_infinity = 4;

    void add_at(std::size_t word, std::uint64_t low, std::uint64_t high) {
        data_[word] += low;
        // The sum of both cannot pass 64 bits: the upper part of a mantissa is short.
        std::uint64_t carry = high + static_cast<std::uint64_t>(data_[word] < low);
        while (carry != 0 && ++word < words) {
            data_[word] += carry;
            carry = static_cast<std::uint64_t>(data_[word] < carry);
        }
    }

    void subtract_at(std::size_t word, std::uint64_t low, std::uint64_t high) {
        std::uint64_t borrow = high + static_cast<std::uint64_t>(data_[word] < low);
        data_[word] -= low;
        while (borrow != 0 && ++word < words) {
            const bool is_less = data_[word] < borrow;
            data_[word] -= borrow;
            borrow = static_cast<std::uint64_t>(is_less);
        }
    }

    static void negate(storage& all) {
        std::uint64_t carry = 1;
        for (std::size_t i = 0; i < words; ++i) {
            all[i] = ~all[i] + carry;
            carry = static_cast<std::uint64_t>(carry != 0 && all[i] == 0);
        }
    }

    /// Bits `first` to `first + 63`.
    static std::uint64_t window(const storage& all, int first) {
        const auto word = static_cast<std::size_t>(first / 64);
        const int shift = first % 64;
        if (shift == 0) return all[word];
        const std::uint64_t above = word + 1 < words ? all[word + 1] << (64 - shift) : 0;
        return all[word] >> shift | above;
    }

    static bool has_bits_below(const storage& all, int end) {
        const auto word = static_cast<std::size_t>(end / 64);
        for (std::size_t i = 0; i < word; ++i)
            if (all[i] != 0) return true;
        return (all[word] & ((std::uint64_t{1} << end % 64) - 1)) != 0;
    }

    static T rounded(const storage& all) {
        std::size_t top = words;
        while (top > 0 && all[top - 1] == 0)
            --top;
        if (top == 0) return T{0};
        const int bit = static_cast<int>(top) * 64 - 1 - std::countl_zero(all[top - 1]);
        const int first = bit - digits + 1; // of the mantissa
        if (first <= 0) return detail::scaled<T>(all[0], lowest);
        std::uint64_t mantissa = window(all, first) & ((std::uint64_t{1} << digits) - 1);
        const bool half = (window(all, first - 1) & 1) != 0;
        if (half && ((mantissa & 1) != 0 || has_bits_below(all, first - 1))) ++mantissa;
        return detail::scaled<T>(mantissa, first + lowest);
    }

    storage data_{};
};

} // namespace topo
