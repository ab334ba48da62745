// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/team.hpp>
#include <topomp/algorithm/levels/hierarchical_operations.hpp>
#include <topomp/algorithm/native/native.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/rounds/dissemination_operation.hpp>
#include <topomp/algorithm/rounds/exchange_operations.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/detail/by_engine.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

namespace topo::detail {

template <way Only>
void barrier(const hierarchy& tree, const selection& chosen) {
    team& ranks = team::of(tree);
    if constexpr (may_be(Only, way::flat))
        if (chosen.how == way::flat) return flat_barrier(ranks.wire());
    if constexpr (may_be(Only, way::hierarchical))
        if (chosen.how == way::hierarchical) return hierarchical_barrier(ranks, chosen.loop);
    barrier_by_engine<Only>(ranks, chosen, to_the_end{});
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_barrier = forms_of<verb::barrier>(
    []<way Only> { return static_cast<void (*)(const hierarchy&, const selection&)>(&barrier<Only>); });
#endif

} // namespace topo::detail
