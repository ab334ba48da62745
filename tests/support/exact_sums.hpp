// SPDX-License-Identifier: BSL-1.0
/// @file
/// Operands of all ranks that cancel, and their exact sums.
#pragma once

#include "support/exact_answer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace topo_test {

/// The operands of all ranks: rank, then element.
template <class T>
std::vector<std::vector<T>> drawn(std::uint32_t seed, int ranks, std::size_t elements,
                                  spread least = spread::none, spread most = spread::all) {
    numbers roll{seed};
    std::vector<std::vector<T>> result(static_cast<std::size_t>(ranks), std::vector<T>(elements));
    for (std::size_t i = 0; i < elements; ++i) {
        const auto column =
            cancelling<T>(roll, result.size(), std::clamp(spread{roll.up_to(2)}, least, most));
        for (std::size_t r = 0; r < result.size(); ++r)
            result[r][i] = column[r];
    }
    return result;
}

/// The sums of the first `rows` ranks' elements.
template <class T>
std::vector<T> answer(const std::vector<std::vector<T>>& all, std::size_t rows) {
    std::vector<T> result;
    for (std::size_t i = 0; i < all[0].size(); ++i) {
        std::vector<T> column;
        for (std::size_t r = 0; r < rows; ++r)
            column.push_back(all[r][i]);
        result.push_back(exact_answer(column));
    }
    return result;
}

template <class T>
bool same(const std::vector<T>& got, const std::vector<T>& wanted) {
    return std::ranges::equal(got, wanted, [](T a, T b) { return same_bits(a, b); });
}

} // namespace topo_test
