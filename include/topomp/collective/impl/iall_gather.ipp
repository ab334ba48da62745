// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/team.hpp>
#include <topomp/algorithm/native/flat_operation.hpp>
#include <topomp/algorithm/native/native_blocks.hpp>
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/detail/by_engine.hpp>
#include <topomp/collective/detail/in_background.hpp>
#include <topomp/collective/iall_gather.hpp>
#include <topomp/collective/impl/all_gather.ipp>
#include <topomp/collective/request.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

namespace topo::detail {

template <way Only>
request iall_gather(const hierarchy& tree, const blocks& result, const selection& chosen) {
    team& ranks = team::of(tree);
    const in_background go{tree};
    if constexpr (Only != way::flat)
        if (chosen.how != way::flat) return all_gather_by_engine<Only>(ranks, result, chosen, go);
    if (!is_countable(bytes_of(result.block_of(0)), ranks.wire()))
        return all_gather_by_engine<way::ring>(ranks, result, {way::ring, {}},
                                               go); // which all ranks see alike
    return go(ranks.pool<flat_operation>(),
              [&](flat_operation& op) { op.start_all_gather(ranks.wire(), result); });
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_iall_gather =
    forms_of<verb::all_gather, &serves_in_background>([]<way Only> {
        return static_cast<request (*)(const hierarchy&, const blocks&, const selection&)>(
            &iall_gather<Only>);
    });
#endif

} // namespace topo::detail
