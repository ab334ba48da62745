// SPDX-License-Identifier: BSL-1.0
// Exact sums beside integers of any length: of numbers in any order and grouping, and of columns.
#include "support/exact_answer.hpp"
#include <topomp/algorithm/exact/column_sums.hpp>
#include <topomp/algorithm/exact/expansions.hpp>
#include <topomp/algorithm/exact/fixed_point.hpp>
#include <topomp/algorithm/exact/sum_window.hpp>
#include <topomp/algorithm/exact_sum.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace exact_sum_tests {

using topo::exact_sum;
using topo_test::numbers;
using topo_test::same_bits;
using topo_test::spread;

template <class T>
T sum_of(const std::vector<T>& values) {
    exact_sum<T> all;
    all.add(values);
    return all.value();
}

TEST_CASE_TEMPLATE("the sum is the exact one, rounded once", T, float, double) {
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        numbers roll{seed};
        const auto values =
            topo_test::cancelling<T>(roll, static_cast<std::size_t>(roll.up_to(30)), spread{roll.up_to(2)});
        CAPTURE(seed);
        CHECK(same_bits(sum_of(values), topo_test::exact_answer(values)));
    }
}

TEST_CASE_TEMPLATE("a mantissa times a power of two is put together right", T, float, double) {
    constexpr int digits = std::numeric_limits<T>::digits,
                  lowest = std::numeric_limits<T>::min_exponent - digits;
    for (int power = lowest; power <= std::numeric_limits<T>::max_exponent + 2; ++power)
        for (const std::uint64_t mantissa :
             {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{1} << (digits - 1),
              (std::uint64_t{1} << digits) - 1, std::uint64_t{1} << digits}) {
            CAPTURE(power);
            CHECK(same_bits(topo::detail::scaled<T>(mantissa, power),
                            std::ldexp(static_cast<T>(mantissa), power)));
        }
    CHECK(topo::detail::scaled<T>(std::uint64_t{5} << 20, lowest - 20) ==
          5 * std::numeric_limits<T>::denorm_min());
}

#ifdef __SSE2__
TEST_CASE_TEMPLATE("the least numbers are sums also where arithmetic flushes them to zero", T, float,
                   double) {
    using bits = typename topo::detail::float_parts<T>::bits;
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040U); // FTZ and DAZ, as -ffast-math sets them
    bool is_kept = true;
    for (const bits least : {bits{1}, bits{12345}, (bits{1} << (std::numeric_limits<T>::digits - 1)) - 1,
                             bits{1} << (std::numeric_limits<T>::digits - 1)}) {
        exact_sum<T> sum;
        sum.add(std::bit_cast<T>(least));
        is_kept = is_kept && std::bit_cast<bits>(sum.value()) == least;
    }
    _mm_setcsr(before);
    CHECK(is_kept);
}
#endif

TEST_CASE_TEMPLATE("any grouping leaves the same words", T, float, double) {
    numbers roll{7};
    auto values = topo_test::cancelling<T>(roll, 60, spread::all);
    exact_sum<T> all;
    all.add(values);
    for (std::size_t parts = 1; parts < 9; ++parts) {
        std::vector<exact_sum<T>> sums(parts);
        for (std::size_t i = 0; i < values.size(); ++i)
            sums[i % parts].add(values[i]);
        exact_sum<T> together;
        for (const auto& each : sums)
            together += each;
        CHECK(together == all);
        std::ranges::reverse(values);
    }
}

TEST_CASE_TEMPLATE("ties go to the even number, bits below decide", T, float, double) {
    const T unit = std::numeric_limits<T>::epsilon();
    const T tiny = std::numeric_limits<T>::denorm_min();
    CHECK(sum_of<T>({1, unit / 2}) == 1);
    CHECK(sum_of<T>({1, unit / 2, tiny}) == 1 + unit);
    CHECK(sum_of<T>({1, unit / 2, -tiny}) == 1);
    CHECK(sum_of<T>({1 + unit, unit / 2}) == 1 + 2 * unit);
    CHECK(sum_of<T>({-1 - unit, -unit / 2}) == -1 - 2 * unit);
    CHECK(sum_of<T>({tiny, tiny}) == 2 * tiny);
    CHECK(sum_of<T>({std::numeric_limits<T>::min(), -tiny}) == std::numeric_limits<T>::min() - tiny);
}

TEST_CASE_TEMPLATE("no sum on the way overflows, the last one may", T, float, double) {
    const T most = std::numeric_limits<T>::max();
    CHECK(sum_of<T>({most, most, most, -most, -most}) == most);
    CHECK(sum_of<T>({most, most}) == std::numeric_limits<T>::infinity());
    CHECK(sum_of<T>({-most, -most}) == -std::numeric_limits<T>::infinity());
    // Half a unit in the last place more rounds to what would be the next number.
    const T half =
        std::ldexp(T{1}, std::numeric_limits<T>::max_exponent - std::numeric_limits<T>::digits - 1);
    CHECK(sum_of<T>({most, half}) == std::numeric_limits<T>::infinity());
    CHECK(sum_of<T>({most, half, -1}) == most);
}

TEST_CASE_TEMPLATE("zeros, infinities and NaN", T, float, double) {
    const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
    CHECK(same_bits(sum_of<T>({}), T{0}));
    CHECK(same_bits(sum_of<T>({T{-0.0}, T{-0.0}}), T{0}));
    CHECK(same_bits(sum_of<T>({T{1}, T{-1}}), T{0}));
    CHECK(sum_of<T>({infinity, -1, infinity}) == infinity);
    CHECK(sum_of<T>({-infinity, std::numeric_limits<T>::max()}) == -infinity);
    CHECK(same_bits(sum_of<T>({infinity, -infinity}), nan));
    CHECK(same_bits(sum_of<T>({-nan, 3}), nan));
    CHECK(same_bits(sum_of<T>({std::nan("7") > 0 ? T{0} : static_cast<T>(std::nan("7")), infinity}), nan));
}

/// Rows of numbers that differ little, much, and are not finite here and there.
template <class T>
std::vector<std::vector<T>> drawn_rows(numbers& roll, std::size_t rows, std::size_t columns) {
    std::vector<std::vector<T>> result(rows, std::vector<T>(columns));
    for (std::size_t i = 0; i < columns; ++i) {
        auto column = topo_test::cancelling<T>(roll, rows, spread{roll.up_to(2)});
        if (roll.one_in(20)) column[0] = std::numeric_limits<T>::infinity();
        if (roll.one_in(20)) column[rows - 1] = -std::numeric_limits<T>::infinity();
        if (roll.one_in(40)) column[rows / 2] = -std::numeric_limits<T>::quiet_NaN();
        if (roll.one_in(20)) std::ranges::fill(column, T{-0.0});
        if (roll.one_in(20)) std::ranges::fill(column, std::numeric_limits<T>::max());
        for (std::size_t r = 0; r < rows; ++r)
            result[r][i] = column[r];
    }
    return result;
}

TEST_CASE_TEMPLATE("sums of columns and of their beginnings", T, float, double) {
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
        numbers roll{seed};
        const auto rows = static_cast<std::size_t>(1 + roll.up_to(8)),
                   columns = static_cast<std::size_t>(roll.up_to(700));
        const auto all = drawn_rows<T>(roll, rows, columns);
        const auto row = [&](std::size_t r) { return all[r].data(); };
        std::vector<T> sums(columns), in_place = all[0];
        topo::detail::column_sums(row, rows, columns, sums.data());
        topo::detail::column_sums([&](std::size_t r) { return r == 0 ? in_place.data() : row(r); }, rows,
                                  columns, in_place.data());
        std::vector<std::vector<T>> prefixes(rows, std::vector<T>(columns));
        topo::detail::column_prefixes<T>(row, rows, columns,
                                         [&](std::size_t r) { return prefixes[r].data(); });
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < columns; ++i) {
            exact_sum<T> sum;
            for (std::size_t r = 0; r < rows; ++r) {
                sum.add(all[r][i]);
                wrong += same_bits(prefixes[r][i], sum.value()) ? 0U : 1U;
            }
            wrong += same_bits(sums[i], sum.value()) && same_bits(in_place[i], sum.value()) ? 0U : 1U;
        }
        CAPTURE(seed);
        CHECK(wrong == 0);
    }
}

/// The sum of rows in any grouping and order.
template <class Block>
Block combined(numbers& roll, std::vector<Block> parts) {
    while (parts.size() > 1) {
        const auto last = static_cast<int>(parts.size()) - 1;
        std::swap(parts[static_cast<std::size_t>(roll.up_to(last))], parts.back());
        const auto one = parts.back();
        parts.pop_back();
        parts[static_cast<std::size_t>(roll.up_to(last - 1))] += one;
    }
    return parts[0];
}

TEST_CASE_TEMPLATE("expansions hold a sum exactly, or are not finite", T, float, double) {
    using topo::detail::expansions;
    std::size_t lost = 0;
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        numbers roll{seed};
        const auto rows = static_cast<std::size_t>(1 + roll.up_to(40));
        const auto columns = static_cast<std::size_t>(1 + roll.up_to(7));
        const auto all = drawn_rows<T>(roll, rows, columns);
        std::vector<expansions<T>> parts;
        for (const auto& row : all)
            parts.emplace_back(row.data(), columns);
        const auto sums = combined(roll, parts);
        for (std::size_t i = 0; i < columns; ++i) {
            exact_sum<T> exact;
            for (const auto& row : all)
                exact.add(row[i]);
            CAPTURE(seed);
            CAPTURE(i);
            const T value = sums.value(i);
            if (value - value == 0)
                CHECK(same_bits(value, exact.value()));
            else
                ++lost;
        }
        for (std::size_t i = columns; i < expansions<T>::columns; ++i)
            CHECK(same_bits(sums.value(i), T{0}));
    }
    CHECK(lost > 0);
}

TEST_CASE_TEMPLATE("expansions hold sums of numbers that do not differ much", T, float, double) {
    using topo::detail::expansions;
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        numbers roll{seed};
        const std::size_t rows = 1000;
        std::vector<expansions<T>> parts;
        for (std::size_t r = 0; r < rows; ++r) {
            const auto row = topo_test::cancelling<T>(roll, 8, spread::none);
            parts.emplace_back(row.data(), row.size());
        }
        const auto sums = combined(roll, parts);
        for (std::size_t i = 0; i < 8; ++i)
            CHECK(std::isfinite(sums.value(i)));
    }
}

using topo::detail::fixed_point;
using topo::detail::sum_window;

template <class Block, class T>
std::vector<Block> rows_in(const std::vector<std::vector<T>>& rows) {
    std::vector<Block> result;
    for (const auto& row : rows)
        result.emplace_back(row.data(), row.size());
    return result;
}

TEST_CASE_TEMPLATE("fixed-point numbers know a sum, or write NaN", Block, fixed_point<float>,
                   fixed_point<double>, sum_window<double>) {
    using T = typename Block::number;
    std::size_t known = 0, lost = 0;
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        numbers roll{seed};
        const auto rows = static_cast<std::size_t>(1 + roll.up_to(seed % 50 == 0 ? 2000 : 40));
        const auto columns = static_cast<std::size_t>(1 + roll.up_to(Block::columns - 1));
        const auto all = drawn_rows<T>(roll, rows, columns);
        const auto sums = combined(roll, rows_in<Block>(all));
        std::vector<T> got(columns);
        sums.write(got.data(), columns);
        CAPTURE(seed);
        for (std::size_t i = 0; i < columns; ++i) {
            exact_sum<T> exact;
            for (const auto& row : all)
                exact.add(row[i]);
            CAPTURE(i);
            if (got[i] == got[i]) {
                CHECK(same_bits(got[i], exact.value()));
                ++known;
            } else {
                ++lost;
            }
        }
    }
    CHECK(known > 3 * lost);
    CHECK(lost > 0);
}

TEST_CASE_TEMPLATE("fixed-point numbers at the ends of the exponents and in ties", Block, fixed_point<float>,
                   fixed_point<double>, sum_window<double>) {
    using T = typename Block::number;
    using limits = std::numeric_limits<T>;
    const T unit = limits::epsilon(), tiny = limits::denorm_min(), most = limits::max();
    const std::vector<std::vector<T>> cases{{tiny, tiny},
                                            {limits::min(), -tiny},
                                            {-limits::min(), tiny},
                                            {tiny, -tiny},
                                            {1, unit / 2},
                                            {1 + unit, unit / 2},
                                            {-1 - unit, -unit / 2},
                                            {1, unit / 2, unit * unit},
                                            {1, unit / 2, -unit * unit},
                                            {most, -most, 1},
                                            {most, -1},
                                            {most, -tiny},
                                            {1, tiny},
                                            {T{-0.0}, T{-0.0}},
                                            {limits::min() * 3, -limits::min() * 2 - tiny}};
    std::size_t lost = 0;
    numbers roll{1};
    for (const auto& operands : cases) {
        std::vector<std::vector<T>> rows;
        for (const T each : operands)
            rows.push_back({each});
        T got{};
        combined(roll, rows_in<Block>(rows)).write(&got, 1);
        CAPTURE(operands[0]);
        CAPTURE(operands[1]);
        if (got == got)
            CHECK(same_bits(got, topo_test::exact_answer(operands)));
        else
            ++lost;
    }
    CHECK(lost == 1); // the sum of 1 is below what the greatest operands leave
}

} // namespace exact_sum_tests
