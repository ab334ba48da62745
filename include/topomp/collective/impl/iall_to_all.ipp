// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/team.hpp>
#include <topomp/algorithm/native/flat_operation.hpp>
#include <topomp/algorithm/native/native_blocks.hpp>
#include <topomp/collective/detail/by_engine.hpp>
#include <topomp/collective/detail/in_background.hpp>
#include <topomp/collective/iall_to_all.hpp>
#include <topomp/collective/impl/all_to_all.ipp>
#include <topomp/core/detail/inline.hpp>

#include <cstddef>

namespace topo::detail {

template <way Only>
request iall_to_all(const hierarchy& tree, const blocks& source, const blocks& result, std::size_t bytes,
                    const selection& chosen) {
    if (chosen.how != way::flat) check_host_memory(tree, "topo::iall_to_all", {source.data, result.data});
    team& ranks = team::of(tree);
    const in_background go{tree};
    if constexpr (may_be(Only, way::flat))
        if (chosen.how == way::flat && is_countable(bytes, ranks.wire()))
            return go(ranks.pool<flat_operation>(),
                      [&](flat_operation& op) { op.start_all_to_all(ranks.wire(), source, result); });
    return all_to_all_by_engine<Only>(ranks, source, result, chosen, go);
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_iall_to_all =
    forms_of<verb::all_to_all, &serves_in_background>([]<way Only> {
        return static_cast<request (*)(const hierarchy&, const blocks&, const blocks&, std::size_t,
                                       const selection&)>(&iall_to_all<Only>);
    });
#endif

} // namespace topo::detail
