// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/tree_blocks.hpp>
#include <topomp/collective/scatter_by_tree.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <algorithm Only>
void scatter(const hierarchy& levels, const blocks& source, const message& mine, int root,
             const plan& chosen) {
    if (chosen.uses != algorithm::flat) check_host_memory(levels, "topo::scatter", {mine.data, source.data});
    start_by_plan<Only>(scatter_call{levels, context::of(levels), source, mine, root}, chosen, to_the_end{});
}

} // namespace topo::detail
