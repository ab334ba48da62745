// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/tree_blocks.hpp>
#include <topomp/collective/gather_by_tree.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <algorithm Only>
void gather(const hierarchy& levels, const message& mine, const blocks& result, int root,
            const plan& chosen) {
    if (chosen.uses != algorithm::flat) check_host_memory(levels, "topo::gather", {mine.data, result.data});
    start_by_plan<Only>(gather_call{levels, context::of(levels), mine, result, root}, chosen, to_the_end{});
}

} // namespace topo::detail
