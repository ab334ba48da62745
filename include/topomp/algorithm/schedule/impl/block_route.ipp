// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/schedule/block_route.hpp>
#include <topomp/algorithm/schedule/exchange_order.hpp>
#include <topomp/algorithm/tree/ranks_by_node.hpp>
#include <topomp/core/detail/inline.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE block_route::block_route(const exchange_order& order, int radix)
    : seat_(order.ranks.size()), seats_(order.size()), mine_(order.mine), radix_(radix) {
    for (std::size_t i = 0; i < order.ranks.size(); ++i)
        seat_[static_cast<std::size_t>(order.ranks[i])] = static_cast<int>(i);
    add_bruck(order.ranks, radix, false);
}

TOPOMP_INLINE block_route::block_route(const ranks_by_node& nodes, int rank, int radix)
    : nodes_(&nodes), seat_(nodes.rank_order().size()), node_(nodes.node_of(rank)), radix_(radix) {
    for (int node = 0; node < nodes.nodes(); ++node) {
        const auto ranks = nodes.ranks_of(node);
        for (std::size_t i = 0; i < ranks.size(); ++i)
            seat_[static_cast<std::size_t>(ranks[i])] = static_cast<int>(i);
        if (node != node_) other_nodes_.push_back(ranks.front());
    }
    const auto here = nodes.ranks_of(node_);
    const std::vector<int> ranks{here.begin(), here.end()};
    seats_ = static_cast<int>(ranks.size());
    mine_ = seat_[static_cast<std::size_t>(rank)];
    add_bruck(ranks, radix, true);
    if (nodes.nodes() == 1) return;
    add_carriers(nodes.nodes());
    add_bruck(ranks, radix, false);
}

TOPOMP_INLINE void block_route::add_bruck(const std::vector<int>& ranks, int radix, bool is_to_carriers) {
    const auto size = static_cast<long long>(ranks.size());
    const auto at = [&](long long seat) { return ranks[static_cast<std::size_t>((seat + size) % size)]; };
    for (long long weight = 1; weight < size; weight *= radix) {
        round now{{}, {}, static_cast<int>(weight), is_to_carriers};
        for (long long step = weight; step < size && step < weight * radix; step += weight) {
            now.to.push_back(at(mine_ + step));
            now.from.push_back(at(mine_ - step));
        }
        rounds_.push_back(now);
    }
}

TOPOMP_INLINE void block_route::add_carriers(int nodes) {
    round now;
    for (int other = mine_; other < nodes; other += seats_) {
        if (other == node_) continue;
        const auto ranks = nodes_->ranks_of(other);
        now.to.push_back(ranks[static_cast<std::size_t>(node_) % ranks.size()]);
    }
    now.from = now.to; // the carriers of two nodes are each other's
    rounds_.push_back(now);
}

TOPOMP_INLINE int block_route::next(const round& now, int target) const {
    const int node = node_of(target);
    if (now.weight == 0) {
        if (node == node_) return stays;
        const bool is_behind_own = node_ % seats_ == mine_ && node > node_;
        return node / seats_ - (is_behind_own ? 1 : 0);
    }
    const bool goes_to_carrier = now.is_to_carriers && node != node_;
    const int seat = goes_to_carrier ? node % seats_ : seat_[static_cast<std::size_t>(target)];
    const int distance = seat >= mine_ ? seat - mine_ : seat - mine_ + seats_;
    return distance / now.weight % radix_ - 1;
}

} // namespace topo::detail
