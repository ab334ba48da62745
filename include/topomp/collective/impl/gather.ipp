// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/team.hpp>
#include <topomp/algorithm/native/native_blocks.hpp>
#include <topomp/algorithm/shared/node_blocks.hpp>
#include <topomp/algorithm/shared/shared_blocks.hpp>
#include <topomp/algorithm/tree/block_operations.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/collective/gather.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

namespace topo::detail {

template <way Only>
void gather(const hierarchy& tree, const message& mine, const blocks& result, int root,
            const selection& chosen) {
    if (chosen.how != way::flat) check_host_memory(tree, "topo::gather", {mine.data, result.data});
    team& ranks = team::of(tree);
    if constexpr (may_be(Only, way::shared))
        if (chosen.how == way::shared) {
            if (shared_blocks node{ranks}; node.works()) return node.gather(mine, result, root);
            if (node_blocks{tree, bytes_of(mine)}.gather(mine, result, root)) return;
            return gather<way::flat>(tree, mine, result, root, {way::flat, {}});
        }
    if constexpr (may_be(Only, way::flat))
        if (chosen.how == way::flat && is_countable(bytes_of(mine), ranks.wire()))
            return flat_gather(ranks.wire(), mine, result, root);
    // What MPI cannot count goes the way that most MPIs go with long blocks: each straight to the root.
    const tree_plan& plan = chosen.how == way::tree ? chosen.plan : tree_plan_of<linear>;
    run(ranks.pool<gather_operation>(),
        [&](gather_operation& op) { op.start(ranks, plan, mine, result, root); });
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_gather = forms_of<verb::gather>([]<way Only> {
    return static_cast<void (*)(const hierarchy&, const message&, const blocks&, int, const selection&)>(
        &gather<Only>);
});
#endif

} // namespace topo::detail
