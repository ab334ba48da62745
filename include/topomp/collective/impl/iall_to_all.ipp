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

TOPOMP_INLINE request iall_to_all(const hierarchy& tree, const blocks& source, const blocks& result,
                                  std::size_t bytes, const selection& chosen) {
    if (chosen.how != way::flat) check_host_memory(tree, "topo::iall_to_all", {source.data, result.data});
    team& ranks = team::of(tree);
    const in_background go{tree};
    if (chosen.how == way::flat && is_countable(bytes, ranks.wire()))
        return go(ranks.pool<flat_operation>(),
                  [&](flat_operation& op) { op.start_all_to_all(ranks.wire(), source, result); });
    return all_to_all_by_engine(ranks, source, result, chosen, go);
}

} // namespace topo::detail
