// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/team.hpp>
#include <topomp/algorithm/native/flat_operation.hpp>
#include <topomp/collective/detail/by_engine.hpp>
#include <topomp/collective/detail/in_background.hpp>
#include <topomp/collective/ibarrier.hpp>
#include <topomp/collective/impl/barrier.ipp>
#include <topomp/core/detail/inline.hpp>

namespace topo::detail {

template <way Only>
request ibarrier(const hierarchy& tree, const selection& chosen) {
    team& ranks = team::of(tree);
    const in_background go{tree};
    if constexpr (may_be(Only, way::flat))
        if (chosen.how == way::flat)
            return go(ranks.pool<flat_operation>(),
                      [&](flat_operation& op) { op.start_barrier(ranks.wire()); });
    return barrier_by_engine<Only>(ranks, chosen, go);
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_ibarrier = forms_of<verb::barrier, &serves_in_background>(
    []<way Only> { return static_cast<request (*)(const hierarchy&, const selection&)>(&ibarrier<Only>); });
#endif

} // namespace topo::detail
