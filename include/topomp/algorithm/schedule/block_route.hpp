// SPDX-License-Identifier: BSL-1.0
/// @file
/// Over which ranks blocks of different lengths travel, round by round, as a pure function of their targets.
#pragma once

#include <topomp/algorithm/schedule/exchange_order.hpp>
#include <topomp/algorithm/tree/ranks_by_node.hpp>

#include <vector>

namespace topo::detail {

/// The rounds of one rank. In each it exchanges a message with a few ranks, and a block moves on or stays.
///
/// K-ary Bruck: a block for the rank d positions ahead moves by z K^k in round k, if z is digit k of d.
/// By node: K-ary Bruck inside each node brings blocks to the carrier for the target's node; the carriers of
/// two nodes exchange one message, if there are blocks; K-ary Bruck inside nodes brings them to their
/// targets.
///
/// ```
///   7 ranks, radix 3     round 1 moves by 1 or 2, round 2 by 3 or 6: a block for distance 5 by 2, then by 3
/// ```
///
/// @see K. Fan, J. Domke, S. Ba and S. Kumar, 'Parameterized algorithms for non-uniform all-to-all' (HPDC
/// 2025), with the radix as parameter; J. Bruck et al. (1997)
class block_route {
public:
    struct round {
        std::vector<int> to, from; ///< ranks; `next` is an index of `to`
        int weight = 0;            ///< of a digit; 0: carriers of nodes exchange what there is
        bool is_to_carriers = false;
    };
    static constexpr int stays = -1;

    /// @param radix at least 2
    block_route(const exchange_order& order, int radix);
    block_route(const ranks_by_node& nodes, int rank, int radix);

    const std::vector<round>& rounds() const noexcept { return rounds_; }

    /// To which rank of a round's `to` a block for a target moves. @cost constant
    int next(const round& now, int target) const;

    /// A rank of each other node: the calling rank says for each of these whether it awaits blocks.
    const std::vector<int>& other_nodes() const noexcept { return other_nodes_; }
    int node_of(int rank) const { return nodes_ == nullptr ? 0 : nodes_->node_of(rank); }

private:
    void add_bruck(const std::vector<int>& ranks, int radix, bool is_to_carriers);
    void add_carriers(int node);

    const ranks_by_node* nodes_ = nullptr; ///< null: K-ary Bruck over all ranks
    std::vector<round> rounds_;
    std::vector<int> seat_; ///< of each rank: its position in the order, or among the ranks of its node
    std::vector<int> other_nodes_;
    int node_ = 0, seats_ = 1, mine_ = 0;
    int radix_ = 2;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/schedule/impl/block_route.ipp>
#endif
