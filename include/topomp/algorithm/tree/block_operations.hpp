// SPDX-License-Identifier: BSL-1.0
/// @file
/// The collectives that move every rank's block along a tree: gather and scatter.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/tree/block_sizes.hpp>
#include <topomp/algorithm/tree/gather_up.hpp>
#include <topomp/algorithm/tree/scatter_down.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/message.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

class gather_operation final : public operation {
public:
    /// All blocks are as long as the caller's.
    void start(context& ranks, const tree_plan& plan, const message& mine, const blocks& result, int root);

    /// Every rank knows how long its own block is.
    /// @param result_for called on the root when the lengths are known: `result_for(ranks, bytes of each
    /// rank's block)`
    template <class ResultFor>
    void start_unequal(context& ranks, const tree_plan& plan, const message& mine, ResultFor result_for,
                       int root) {
        const subtree& below = ranks.subtree_for(plan, root);
        const tree_edges& edges = ranks.edges_for(plan, root, operand_order::any);
        const auto sizes = sizes_up(ranks.private_comm(), ranks.next_tag(), edges, below, bytes_of(mine));
        sizes_.set(sizes);
        const std::span<const int> everybody{below.ranks};
        go(ranks, plan, below, mine, ranks.rank() == root ? result_for(everybody, sizes) : blocks{}, root);
    }

private:
    void go(context& ranks, const tree_plan& plan, const subtree& below, const message& mine,
            const blocks& result, int root);

    bool advance() override { return up_.advance(); }

    block_sizes sizes_;
    gather_up up_;
};

class scatter_operation final : public operation {
public:
    /// All blocks are as long as the caller's.
    void start(context& ranks, const tree_plan& plan, const blocks& source, const message& mine, int root);

    /// The lengths of the blocks are known on the root only.
    /// @param mine_for called on a rank when its length is known: `mine_for(bytes of its own block)`
    template <class MineFor>
    void start_unequal(context& ranks, const tree_plan& plan, const blocks& source, MineFor mine_for,
                       int root) {
        const subtree& below = ranks.subtree_for(plan, root);
        const tree_edges& edges = ranks.edges_for(plan, root, operand_order::any);
        std::vector<std::size_t> sizes;
        if (ranks.rank() == root) {
            const type_layout layout{source.type};
            for (const int rank : below.ranks)
                sizes.push_back(source.count_of(rank) * layout.size);
        }
        sizes_down(ranks.private_comm(), ranks.next_tag(), edges, below, sizes);
        sizes_.set(sizes);
        go(ranks, plan, below, source, mine_for(sizes.front()), root);
    }

private:
    void go(context& ranks, const tree_plan& plan, const subtree& below, const blocks& source,
            const message& mine, int root);

    bool advance() override { return down_.advance(); }

    block_sizes sizes_;
    scatter_down down_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/tree/impl/block_operations.ipp>
#endif
