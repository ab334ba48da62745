// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/in_background.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/of_barrier.hpp>
#include <topomp/collective/ibarrier.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <algorithm Only>
request ibarrier(const hierarchy& levels, const plan& chosen) {
    return start_by_plan<Only>(barrier_call{context::of(levels)}, chosen, in_background{levels});
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_ibarrier = forms_of<verb::barrier, &serves_in_background>(
    []<algorithm Only> { return static_cast<request (*)(const hierarchy&, const plan&)>(&ibarrier<Only>); });
#endif

} // namespace topo::detail
