// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/schedule/radices.hpp>
#include <topomp/core/detail/inline.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE radices::radices(int size, std::span<const int> blocks, int most) {
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

TOPOMP_INLINE radices radices::of(int size, const std::vector<int>& blocks, int most) {
    return {size, blocks, most};
}

TOPOMP_INLINE std::span<const int> radices::all() const { return {values_.data(), count_}; }

TOPOMP_INLINE int radices::weight(std::size_t one) const {
    return std::accumulate(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(one), 1,
                           std::multiplies<>{});
}

TOPOMP_INLINE bool radices::is_smooth(int number, int most) {
    const int largest = most == 2 ? 2 : std::max(most, 7);
    for (int prime = 2; number > 1 && prime <= largest; ++prime)
        while (number % prime == 0)
            number /= prime;
    return number == 1;
}

TOPOMP_INLINE void radices::add(int number, int most) {
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

} // namespace topo::detail
