// SPDX-License-Identifier: BSL-1.0
/// @file
/// Lengths for which a decision is kept.
#pragma once

#include <bit>
#include <cstddef>

namespace topo::detail {

/// Of more ranks fewer decisions are made, for a model may take time linear in their number.
inline constexpr int many_ranks = 8192;

/// Lengths between which `decide` is not asked anew: four classes for each power of two, of `many_ranks` one.
struct length_class {
    static constexpr std::size_t count = 4 * (sizeof(std::size_t) * 8 - 1);

    static constexpr std::size_t of(std::size_t bytes) {
        if (bytes < 8) return bytes;
        const auto power = static_cast<std::size_t>(std::bit_width(bytes)) - 1;
        return 4 * (power - 1) + (bytes >> (power - 2)) % 4;
    }
    static constexpr std::size_t of(std::size_t bytes, int ranks) {
        return of(ranks > many_ranks ? std::bit_floor(bytes) : bytes);
    }
    /// The shortest length of a class.
    static constexpr std::size_t least(std::size_t one) {
        return one < 8 ? one : (4 + one % 4) << (one / 4 - 1);
    }
};

} // namespace topo::detail
