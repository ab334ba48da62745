// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/lanes/lane_order.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE std::size_t lane_order::group(int lane, int node) const {
    return static_cast<std::size_t>(lane) * static_cast<std::size_t>(nodes) + static_cast<std::size_t>(node);
}

TOPOMP_INLINE std::span<const int> lane_order::members(std::size_t group) const {
    return std::span{ranks}.subspan(begin[group], begin[group + 1] - begin[group]);
}

TOPOMP_INLINE const lane_order& lane_orders::rank_order() {
    if (!rank_order_.ranks.empty()) return rank_order_;
    const auto size = static_cast<std::size_t>(ranks_.private_comm().size());
    std::vector<std::array<int, 2>> seats(size);
    const std::array mine{layout_.node_number(), layout_.number() % layout_.lanes()};
    mpi::check(MPI_Allgather(mine.data(), 2, MPI_INT, seats.data(), 2, MPI_INT, ranks_.private_comm()),
               "MPI_Allgather", "nodes and lanes of all ranks");
    for (const auto& [node, lane] : seats)
        rank_order_.nodes = std::max(rank_order_.nodes, node + 1);
    rank_order_.begin.assign(rank_order_.group(layout_.lanes(), 0) + 1, 0);
    for (const auto& [node, lane] : seats)
        ++rank_order_.begin[rank_order_.group(lane, node) + 1];
    for (std::size_t i = 1; i < rank_order_.begin.size(); ++i)
        rank_order_.begin[i] += rank_order_.begin[i - 1];
    rank_order_.ranks.resize(size);
    auto next = rank_order_.begin;
    for (std::size_t rank = 0; rank < size; ++rank)
        rank_order_.ranks[next[rank_order_.group(seats[rank][1], seats[rank][0])]++] = static_cast<int>(rank);
    return rank_order_;
}

TOPOMP_INLINE bool lane_orders::has_tags() {
    constexpr int most = 8192; // half of the tags of `context::next_tag`
    return rank_order().nodes + layout_.lanes() < most;
}

TOPOMP_INLINE const lane_order::trees& lane_orders::trees_of(const tree_plan& plan, operand_order order) {
    const std::pair key{plan.identity(), order};
    if (const auto known = trees_.find(key); known != trees_.end()) return known->second;
    const auto edges = [&](const std::vector<int>& ranks, int mine, int root, const any_shape& tree_shape) {
        const step_view step{ranks, mine, root, ranks[static_cast<std::size_t>(root)]};
        return compose(std::span{&step, 1}, std::span{&tree_shape, 1}, order);
    };
    lane_order::trees made;
    for (int node = 0; node < static_cast<int>(layout_.lane().size()); ++node)
        made.along.push_back(edges(layout_.lane(), layout_.node_number(), node, plan.along()));
    for (int lane = 0; lane < layout_.lanes(); ++lane)
        made.inside.push_back(edges(layout_.node(), layout_.number(), lane, plan.inside()));
    return trees_.emplace(key, std::move(made)).first->second;
}

} // namespace topo::detail
