// SPDX-License-Identifier: BSL-1.0
/// @file
/// Exact sums as integers of any length, and numbers that cancel.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace topo_test {

/// The sum of finite numbers, rounded to nearest, ties to even, by division of integers: independent of
/// `topo::exact_sum`.
template <class T>
T exact_answer(const std::vector<T>& values) {
    using boost::multiprecision::cpp_int;
    constexpr int lowest = std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits;
    cpp_int all = 0;
    for (const T each : values) {
        int exponent = 0;
        const T fraction = std::frexp(each, &exponent);
        const auto whole = static_cast<std::int64_t>(std::ldexp(fraction, std::numeric_limits<T>::digits));
        const int shift = exponent - std::numeric_limits<T>::digits - lowest;
        // Of a subnormal number the lowest bits are zeros.
        all += shift >= 0 ? cpp_int{whole} << shift : cpp_int{whole / (std::int64_t{1} << -shift)};
    }
    if (all == 0) return 0;
    const bool is_negative = all < 0;
    if (is_negative) all = -all;
    const int bits = static_cast<int>(msb(all)) + 1,
              shift = std::max(0, bits - std::numeric_limits<T>::digits);
    const cpp_int unit = cpp_int{1} << shift;
    cpp_int quotient = all / unit;
    const cpp_int twice = (all % unit) * 2;
    if (twice > unit || (twice == unit && quotient % 2 != 0)) ++quotient;
    const T magnitude =
        std::ldexp(static_cast<T>(quotient.template convert_to<std::uint64_t>()), shift + lowest);
    return is_negative ? -magnitude : magnitude;
}

template <class T>
bool same_bits(T a, T b) {
    using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return std::bit_cast<bits>(a) == std::bit_cast<bits>(b);
}

/// Numbers from a seed, the same with every standard library.
class numbers {
public:
    explicit numbers(std::uint32_t seed) : engine_(seed) {}
    int up_to(int most) { return static_cast<int>(engine_() % (static_cast<std::uint32_t>(most) + 1)); }
    bool one_in(int many) { return up_to(many - 1) == 0; }

private:
    std::mt19937 engine_;
};

/// How numbers differ in their exponents.
enum class spread { none, some, all };

/// A number of any exponent of a range.
template <class T>
T drawn_number(numbers& roll, spread exponents) {
    constexpr int least = std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits;
    constexpr int most = std::numeric_limits<T>::max_exponent - 8;
    const T fraction = 1 + static_cast<T>(roll.up_to((1 << 30) - 1)) / static_cast<T>(1 << 30);
    int exponent = 0;
    if (exponents == spread::some) exponent = roll.up_to(60) - 30;
    if (exponents == spread::all) exponent = least + roll.up_to(most - least);
    return std::ldexp(roll.one_in(2) ? fraction : -fraction, exponent);
}

/// Numbers whose sum is much smaller than they are.
template <class T>
std::vector<T> cancelling(numbers& roll, std::size_t count, spread exponents) {
    std::vector<T> result;
    for (std::size_t i = 0; i < count; ++i)
        result.push_back(i % 3 == 2 ? -result[i - 2] : drawn_number<T>(roll, exponents));
    for (std::size_t i = count; i > 1; --i)
        std::swap(result[i - 1], result[static_cast<std::size_t>(roll.up_to(static_cast<int>(i) - 1))]);
    return result;
}

} // namespace topo_test
