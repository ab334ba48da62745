// SPDX-License-Identifier: BSL-1.0
/// @file
/// The collectives that carry everybody's blocks along trees: gather, scatter, all-gather.
#pragma once

#include <topomp/algorithm/block_sizes.hpp>
#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/gather_up.hpp>
#include <topomp/algorithm/operation.hpp>
#include <topomp/algorithm/scatter_down.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/algorithm/tree_down.hpp>
#include <topomp/algorithm/tree_plan.hpp>
#include <topomp/core/message.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

inline std::size_t bytes_of(const message& what) { return what.count * type_layout{what.type}.size; }

/// Whether all blocks are as long as the caller's, or every rank knows only its own length.
enum class block_lengths { equal, own };

class gather_operation final : public operation {
public:
    void start(team& ranks, const tree_plan& plan, const message& mine, const blocks& result, int root,
               block_lengths lengths) {
        slots_.clear();
        const subtree& below = ranks.subtree_for(plan, root);
        const tree_edges& edges = ranks.edges_for(plan, root, operand_order::any);
        if (lengths == block_lengths::equal)
            sizes_.set_equal(bytes_of(mine), below.ranks.size());
        else
            sizes_.set(sizes_up(ranks.wire(), ranks.next_tag(), edges, below, bytes_of(mine)));
        up_.start(ranks.wire(), ranks.next_tag(), edges, below, sizes_, mine, result, slots_);
    }

private:
    bool advance() override { return up_.advance(); }

    block_sizes sizes_;
    gather_up up_;
};

class scatter_operation final : public operation {
public:
    void start(team& ranks, const tree_plan& plan, const blocks& source, const message& mine, int root,
               block_lengths lengths) {
        slots_.clear();
        const subtree& below = ranks.subtree_for(plan, root);
        const tree_edges& edges = ranks.edges_for(plan, root, operand_order::any);
        if (lengths == block_lengths::equal) {
            sizes_.set_equal(bytes_of(mine), below.ranks.size());
        } else {
            std::vector<std::size_t> sizes;
            if (edges.parent < 0)
                for (const int rank : below.ranks)
                    sizes.push_back(bytes_of(source.block_of(rank)));
            sizes_down(ranks.wire(), ranks.next_tag(), edges, below, sizes);
            sizes_.set(sizes);
        }
        down_.start(ranks.wire(), ranks.next_tag(), edges, below, sizes_, source, mine, slots_);
    }

private:
    bool advance() override { return down_.advance(); }

    block_sizes sizes_;
    scatter_down down_;
};

} // namespace topo::detail
