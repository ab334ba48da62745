// SPDX-License-Identifier: BSL-1.0
/// @file
/// How many ranks exchange with each other in each round, as a pure function.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

/// A number of groups as a product of radices, so that it takes a round for each to exchange among all.
class radices {
public:
    /// @param size of the row @param blocks sizes of equal blocks of neighbours, ascending, each a multiple
    /// of the one before, if the row consists of such blocks
    /// @param most ranks in a round; primes up to 7 are one round all the same, unless `most` is 2
    ///
    /// ```
    ///   240 in blocks of 6, 12 and 24   most 4   rounds 2 3, 2, 2, 2 5
    ///   127 in blocks of 1              most 2   rounds 2 2 2 2 2 2: 64 groups
    /// ```
    /// @return radices, innermost first; their product is at most `size`, and more than half of it
    static std::vector<int> of(int size, std::span<const int> blocks, int most) {
        std::vector<int> result;
        int inner = 1;
        for (const int block : blocks) {
            if (!is_smooth(block / inner, most)) return of(size, {}, most);
            add(result, block / inner, most);
            inner = block;
        }
        int outer = size / inner;
        while (!is_smooth(outer, most))
            --outer;
        add(result, outer, most);
        return result;
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
    static void add(std::vector<int>& to, int number, int most) {
        std::vector<int> factors;
        for (int prime = 2; number > 1; ++prime)
            for (; number % prime == 0; number /= prime)
                factors.push_back(prime);
        while (factors.size() > 1 && factors[0] * factors[1] <= most) {
            factors[1] *= factors[0];
            factors.erase(factors.begin());
            std::ranges::sort(factors);
        }
        to.insert(to.end(), factors.begin(), factors.end());
    }
};

} // namespace topo::detail
