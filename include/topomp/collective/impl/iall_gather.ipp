// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/in_background.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/of_all_gather.hpp>
#include <topomp/collective/iall_gather.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <algorithm Only>
request iall_gather(const hierarchy& levels, const blocks& result, const plan& chosen) {
    return start_by_plan<Only>(all_gather_call{levels, context::of(levels), result}, chosen,
                               in_background{levels});
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_iall_gather =
    forms_of<verb::all_gather, &serves_in_background>([]<algorithm Only> {
        return static_cast<request (*)(const hierarchy&, const blocks&, const plan&)>(&iall_gather<Only>);
    });
#endif

} // namespace topo::detail
