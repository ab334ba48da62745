// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/dissemination.hpp>
#include <topomp/collective/engines/flat.hpp>
#include <topomp/collective/engines/hierarchical.hpp>
#include <topomp/collective/engines/recursive_doubling.hpp>
#include <topomp/collective/engines/tree.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <algorithm Only>
void barrier(const hierarchy& levels, const plan& chosen) {
    start_by_plan<Only>(barrier_call{context::of(levels)}, chosen, to_the_end{});
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_barrier = forms_of<verb::barrier>(
    []<algorithm Only> { return static_cast<void (*)(const hierarchy&, const plan&)>(&barrier<Only>); });
#endif

} // namespace topo::detail
