// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/in_background.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/of_all_to_all.hpp>
#include <topomp/collective/iall_to_all.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <algorithm Only>
request iall_to_all(const hierarchy& levels, const blocks& source, const blocks& result, const plan& chosen) {
    if (chosen.uses != algorithm::flat)
        check_host_memory(levels, "topo::iall_to_all", {source.data, result.data});
    return start_by_plan<Only>(all_to_all_call{levels, context::of(levels), source, result}, chosen,
                               in_background{levels});
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_iall_to_all =
    forms_of<verb::all_to_all, &serves_in_background>([]<algorithm Only> {
        return static_cast<request (*)(const hierarchy&, const blocks&, const blocks&, const plan&)>(
            &iall_to_all<Only>);
    });
#endif

} // namespace topo::detail
