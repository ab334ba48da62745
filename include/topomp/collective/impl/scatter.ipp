// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/team.hpp>
#include <topomp/algorithm/native/native_blocks.hpp>
#include <topomp/algorithm/shared/node_blocks.hpp>
#include <topomp/algorithm/shared/shared_blocks.hpp>
#include <topomp/algorithm/tree/block_operations.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/collective/scatter.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <cstddef>

namespace topo::detail {

template <way Only>
void scatter(const hierarchy& tree, const blocks& source, const message& mine, int root,
             const selection& chosen) {
    if (chosen.how != way::flat) check_host_memory(tree, "topo::scatter", {mine.data, source.data});
    team& ranks = team::of(tree);
    if constexpr (may_be(Only, way::shared))
        if (chosen.how == way::shared) {
            if (shared_blocks node{ranks}; node.works()) return node.scatter(source, mine, root);
            if (node_blocks{tree, bytes_of(mine)}.scatter(source, mine, root)) return;
            return scatter<way::flat>(tree, source, mine, root, {way::flat, {}});
        }
    if constexpr (may_be(Only, way::flat))
        if (chosen.how == way::flat && is_countable(bytes_of(mine), ranks.wire()))
            return flat_scatter(ranks.wire(), source, mine, root);
    const tree_plan& plan = chosen.how == way::tree ? chosen.plan : tree_plan_of<linear>;
    run(ranks.pool<scatter_operation>(),
        [&](scatter_operation& op) { op.start(ranks, plan, source, mine, root); });
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_scatter = forms_of<verb::scatter>([]<way Only> {
    return static_cast<void (*)(const hierarchy&, const blocks&, const message&, int, const selection&)>(
        &scatter<Only>);
});
#endif

} // namespace topo::detail
