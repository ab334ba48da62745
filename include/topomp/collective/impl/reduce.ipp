// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/tree.hpp>
#include <topomp/collective/reduce_by_tree.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <algorithm Only>
void reduce(const hierarchy& levels, const void* input, const message& result, combination combiner, int root,
            const plan& chosen) {
    if (chosen.uses != algorithm::flat) check_host_memory(levels, "topo::reduce", {input, result.data});
    require_order("topo::reduce", chosen, combiner.is_commutative);
    start_by_plan<Only>(reduce_call{context::of(levels), input, result, combiner, root}, chosen,
                        to_the_end{});
}

} // namespace topo::detail
