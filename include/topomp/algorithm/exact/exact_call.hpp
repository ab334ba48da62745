// SPDX-License-Identifier: BSL-1.0
/// @file
/// The arguments of sums that are rounded once.
#pragma once

#include <topomp/core/detail/ranges.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

/// What becomes of the sums.
enum class exact_result { of_all, own_block, prefix, prefix_before };

/// The arguments of a reproducible sum. All but addresses are the same on all ranks.
template <class T>
struct exact_call {
    exact_result what = exact_result::of_all;
    const T* input = nullptr; ///< which may be the result
    T* result = nullptr;
    std::size_t count = 0;                 ///< of all elements
    std::span<const std::size_t> counts{}; ///< of the blocks; nothing: parts as equal as possible
    /// Which ranks get the sums of all elements, in ascending order; nothing: all ranks do.
    std::vector<int> receivers{};
};

/// Whether a rank gets anything.
template <class T>
bool gets_result(const exact_call<T>& call, int rank) {
    if (call.what == exact_result::prefix_before) return rank > 0;
    return call.receivers.empty() || std::ranges::binary_search(call.receivers, rank);
}

} // namespace topo::detail
