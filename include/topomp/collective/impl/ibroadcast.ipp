// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/in_background.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/of_broadcast.hpp>
#include <topomp/collective/ibroadcast.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <algorithm Only>
request ibroadcast(const hierarchy& levels, const message& what, int root, const plan& chosen) {
    if (chosen.uses != algorithm::flat) check_host_memory(levels, "topo::ibroadcast", {what.data});
    return start_by_plan<Only>(broadcast_call{context::of(levels), what, root}, chosen,
                               in_background{levels});
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_ibroadcast =
    forms_of<verb::broadcast, &serves_in_background>([]<algorithm Only> {
        return static_cast<request (*)(const hierarchy&, const message&, int, const plan&)>(
            &ibroadcast<Only>);
    });
#endif

} // namespace topo::detail
