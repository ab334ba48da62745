// SPDX-License-Identifier: BSL-1.0
/// @file
/// All ranks in a row in which neighbours are near each other.
#pragma once

#include <vector>

namespace topo::detail {

/// All ranks in a row, group by group at every level, so that a message that goes once around crosses each
/// link between groups once. Every rank that exchanges data with all others has a result as long as this, at
/// least.
struct exchange_order {
    std::vector<int> ranks;    ///< in the row
    int mine = 0;              ///< the calling rank's position
    std::vector<int> blocks{}; ///< sizes of the equal blocks that the row consists of, ascending

    exchange_order() = default;
    exchange_order(std::vector<int> rank_order, int rank);

    int size() const { return static_cast<int>(ranks.size()); }
    /// The rank `distance` places further on, around the end.
    int at(int distance) const;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/schedule/impl/exchange_order.ipp>
#endif
