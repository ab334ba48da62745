// SPDX-License-Identifier: BSL-1.0
/// @file
/// How many ranks exchange with each other in each round, as a pure function.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <numeric>
#include <span>

namespace topo::detail {

/// A number of groups as a product of radices, so that it takes a round for each to exchange among all.
class radices {
public:
    /// One group, no rounds.
    radices() = default;

    /// @param size of the row @param blocks sizes of equal blocks of neighbours, ascending, each a multiple
    /// of the one before, if the row consists of such blocks
    /// @param most ranks in a round; primes up to 7 are one round all the same, unless `most` is 2
    ///
    /// ```
    ///   240 in blocks of 6, 12 and 24   most 4   rounds 2 3, 2, 2, 2 5
    ///   127                             most 2   rounds 2 2 2 2 2 2: 64 groups
    /// ```
    /// The product is at most `size`, and more than half of it.
    radices(int size, std::span<const int> blocks, int most) {
        int inner = 1;
        for (const int block : blocks) {
            if (!is_smooth(block / inner, most)) {
                *this = radices{size, {}, most};
                return;
            }
            add(block / inner, most);
            inner = block;
        }
        int outer = size / inner;
        while (!is_smooth(outer, most))
            --outer;
        add(outer, most);
    }

    /// Innermost first.
    std::span<const int> all() const { return std::span{values_}.first(count_); }
    int product() const { return weight(count_); }
    /// The product of those before one of them.
    int weight(std::size_t one) const {
        return std::accumulate(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(one), 1,
                               std::multiplies<>{});
    }

private:
    static bool is_smooth(int number, int most) {
        const int largest = most == 2 ? 2 : std::max(most, 7);
        for (int prime = 2; prime <= largest; ++prime)
            while (number % prime == 0)
                number /= prime;
        return number == 1;
    }

    /// Adds a number's primes, the smallest multiplied with each other as long as they stay small.
    void add(int number, int most) {
        const auto begin = values_.begin() + static_cast<std::ptrdiff_t>(count_);
        auto end = begin;
        for (int prime = 2; number > 1; ++prime)
            for (; number % prime == 0; number /= prime)
                *end++ = prime;
        while (end - begin > 1 && begin[0] * begin[1] <= most) {
            begin[1] *= begin[0];
            std::copy(begin + 1, end--, begin);
            std::sort(begin, end);
        }
        count_ = static_cast<std::size_t>(end - values_.begin());
    }

    std::array<int, 31> values_{}; ///< an int has no more factors
    std::size_t count_ = 0;
};

} // namespace topo::detail
