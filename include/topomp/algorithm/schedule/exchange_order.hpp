// SPDX-License-Identifier: BSL-1.0
/// @file
/// All ranks in hierarchy order, in which neighbours are near each other.
#pragma once

#include <vector>

namespace topo::detail {

/// All ranks in hierarchy order, group by group at every level, so that a message around the ring crosses
/// each link between groups once. Its memory is at most that of the result of a rank that exchanges data with
/// all others.
struct exchange_order {
    std::vector<int> ranks;    ///< in this order
    int mine = 0;              ///< the calling rank's position
    std::vector<int> blocks{}; ///< sizes of the equal blocks that the order consists of, ascending

    exchange_order() = default;
    exchange_order(std::vector<int> rank_order, int rank);

    int size() const { return static_cast<int>(ranks.size()); }
    /// The rank `distance` positions ahead, cyclically.
    int at(int distance) const;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/schedule/impl/exchange_order.ipp>
#endif
