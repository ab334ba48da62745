// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/tree/block_operations.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

namespace topo::detail {

TOPOMP_INLINE void gather_operation::start(context& ranks, const tree_plan& plan, const message& mine,
                                           const blocks& result, int root) {
    const subtree& below = ranks.subtree_for(plan, root);
    sizes_.set_equal(bytes_of(mine), below.ranks.size());
    go(ranks, plan, below, mine, result, root);
}

TOPOMP_INLINE void gather_operation::go(context& ranks, const tree_plan& plan, const subtree& below,
                                        const message& mine, const blocks& result, int root) {
    slots_.clear();
    up_.start(ranks.private_comm(), ranks.next_tag(), ranks.edges_for(plan, root, operand_order::any), below,
              sizes_, mine, result, slots_);
}

TOPOMP_INLINE void scatter_operation::start(context& ranks, const tree_plan& plan, const blocks& source,
                                            const message& mine, int root) {
    const subtree& below = ranks.subtree_for(plan, root);
    sizes_.set_equal(bytes_of(mine), below.ranks.size());
    go(ranks, plan, below, source, mine, root);
}

TOPOMP_INLINE void scatter_operation::go(context& ranks, const tree_plan& plan, const subtree& below,
                                         const blocks& source, const message& mine, int root) {
    slots_.clear();
    down_.start(ranks.private_comm(), ranks.next_tag(), ranks.edges_for(plan, root, operand_order::any),
                below, sizes_, source, mine, slots_);
}

} // namespace topo::detail
