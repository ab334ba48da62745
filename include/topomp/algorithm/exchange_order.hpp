// SPDX-License-Identifier: BSL-1.0
/// @file
/// All ranks in a row in which neighbours are near each other.
#pragma once

#include <topomp/algorithm/team.hpp>
#include <topomp/core/mpi.hpp>

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// All ranks in a row, group by group at every level, so that a message that goes once around crosses each
/// link between groups once. Every rank that exchanges data with all others has a result as long as this, at
/// least.
struct exchange_order {
    std::vector<int> ranks;     ///< in the row
    std::vector<int> positions; ///< of each rank
    int mine = 0;               ///< the calling rank's position

    int size() const { return static_cast<int>(ranks.size()); }
    /// The rank `distance` places further on, around the end.
    int at(int distance) const {
        const int n = size();
        return ranks[static_cast<std::size_t>(((mine + distance) % n + n) % n)];
    }

    /// @collective over the team's ranks @cost a gather and a broadcast of 4 bytes per rank
    static exchange_order find(team& all) {
        // In a tree in which each level's members hang on its first, what is below a child is a group.
        static constexpr level_rule star[]{{kind::cluster, true, any_shape::of<linear>()}};
        const tree_plan plan{star, 0};
        exchange_order order;
        order.ranks = all.subtree_for(plan, 0).ranks;
        const auto size = static_cast<std::size_t>(all.wire().size());
        order.ranks.resize(size);
        mpi::bcast(order.ranks.data(), static_cast<int>(size), MPI_INT, 0, all.wire(), "order of ranks");
        order.positions.resize(size);
        for (std::size_t i = 0; i < size; ++i)
            order.positions[static_cast<std::size_t>(order.ranks[i])] = static_cast<int>(i);
        order.mine = order.positions[static_cast<std::size_t>(all.rank())];
        return order;
    }
};

} // namespace topo::detail
