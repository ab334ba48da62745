// SPDX-License-Identifier: BSL-1.0
/// @file
/// Lengths that do not overflow.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>

namespace topo::detail {

/// a * b + c, or nothing if that is more than memory can hold.
constexpr std::optional<std::size_t> bounded(std::size_t a, std::size_t b, std::size_t c = 0) {
    std::size_t product = 0, sum = 0;
    constexpr auto most = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());
    if (__builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(product, c, &sum) || sum > most)
        return std::nullopt;
    return sum;
}

} // namespace topo::detail
