// SPDX-License-Identifier: BSL-1.0
/// @file
/// How many ranks exchange with each other in each round, as a pure function.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

/// A number of groups as a product of radices: one round for each radix.
class radices {
public:
    /// One group, no rounds.
    radices() = default;

    /// @param size of the rank order @param blocks sizes of equal blocks of neighbours, ascending, each a
    /// multiple of the one before, if the order consists of such blocks
    /// @param most ranks in a round; primes up to 7 are nevertheless one round, unless `most` is 2
    ///
    /// ```
    ///   240 in blocks of 6, 12 and 24   most 4   rounds 2 3, 2, 2, 2 5
    ///   127                             most 2   rounds 2 2 2 2 2 2: 64 groups
    /// ```
    /// The product is at most `size`, and more than half of it.
    radices(int size, std::span<const int> blocks, int most);
    /// The same of a list, which for a model's template is not a span: GCC would ask the concepts of ranges.
    static radices of(int size, const std::vector<int>& blocks, int most);

    /// Innermost first.
    std::span<const int> all() const;
    int product() const { return weight(count_); }
    /// The product of those before one of them.
    int weight(std::size_t one) const;

private:
    static bool is_smooth(int number, int most);

    /// Adds a number's primes, the smallest multiplied with each other as long as they stay small.
    void add(int number, int most);

    std::array<int, 31> values_{}; ///< an int has no more factors
    std::size_t count_ = 0;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/schedule/impl/radices.ipp>
#endif
