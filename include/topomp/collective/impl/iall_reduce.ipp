// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/in_background.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/of_all_reduce.hpp>
#include <topomp/collective/iall_reduce.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <algorithm Only>
request iall_reduce(const hierarchy& levels, const void* input, const message& result, combination combiner,
                    const plan& wanted) {
    const plan chosen = right_for(wanted, result);
    require_order("topo::iall_reduce", chosen, combiner.is_commutative);
    if (chosen.uses != algorithm::flat) check_host_memory(levels, "topo::iall_reduce", {input, result.data});
    return start_by_plan<Only>(all_reduce_call{context::of(levels), input, result, combiner}, chosen,
                               in_background{levels});
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_iall_reduce =
    forms_of<verb::all_reduce, &serves_in_background>([]<algorithm Only> {
        return static_cast<request (*)(const hierarchy&, const void*, const message&, combination,
                                       const plan&)>(&iall_reduce<Only>);
    });
#endif

} // namespace topo::detail
