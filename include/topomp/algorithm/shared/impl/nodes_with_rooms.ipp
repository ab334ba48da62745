// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/level_members.hpp>
#include <topomp/algorithm/levels/level_loop.hpp>
#include <topomp/algorithm/levels/loop_plan.hpp>
#include <topomp/algorithm/shared/nodes_with_rooms.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE nodes_with_rooms::nodes_with_rooms(context& ranks, const loop_plan& plan) : ranks_(ranks) {
    ranks.node_memory();
    int first = ranks.rank(), has_memory = 1;
    for (int depth = 0; depth <= ranks.depth(); ++depth) {
        const loop_rule& rule = plan.rule_for(ranks.info(depth));
        if (!rule.is_within) continue;
        const auto& wide = ranks.attached<level_rooms>().of_all(depth);
        first = wide.ranks.front();
        if (wide.room != nullptr) room_ = &wide.room->attached<shared_room>();
        has_memory = rule.algorithm.uses_node_memory && (room_ == nullptr || room_->works()) ? 1 : 0;
        break;
    }
    int all_have = 0;
    mpi::allreduce(&has_memory, &all_have, 1, MPI_INT, MPI_MIN, ranks.private_comm(), "memory of all nodes");
    std::vector<int> first_of(static_cast<std::size_t>(ranks.private_comm().size()));
    mpi::check(MPI_Allgather(&first, 1, MPI_INT, first_of.data(), 1, MPI_INT, ranks.private_comm()),
               "MPI_Allgather", "first ranks of nodes");
    by_node_.emplace(first_of);
    works_ = all_have != 0 && nodes() > 1;
    node_ = node_of(ranks.rank());
    number_ = number_of(ranks.rank());
    size_ = least_size_ = size_of(node_);
    for (int node = 0; node < nodes(); ++node) {
        least_size_ = std::min(least_size_, size_of(node));
        most_size_ = std::max(most_size_, size_of(node));
    }
    is_even_ = least_size_ * nodes() == ranks.private_comm().size();
}

TOPOMP_INLINE int nodes_with_rooms::number_of(int rank) const {
    const auto ranks = by_node_->ranks_of(node_of(rank));
    return static_cast<int>(std::ranges::lower_bound(ranks, rank) - ranks.begin());
}

} // namespace topo::detail
