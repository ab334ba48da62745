// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/schedule/exchange_order.hpp>
#include <topomp/core/detail/inline.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE exchange_order::exchange_order(std::vector<int> rank_order, int rank)
    : ranks(std::move(rank_order)), mine(static_cast<int>(std::ranges::find(ranks, rank) - ranks.begin())) {}

TOPOMP_INLINE int exchange_order::at(int distance) const {
    const int n = size();
    return ranks[static_cast<std::size_t>(((mine + distance) % n + n) % n)];
}

} // namespace topo::detail
