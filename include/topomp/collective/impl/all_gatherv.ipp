// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/native/native_exchanges.hpp>
#include <topomp/collective/all_gather_by_tree.hpp>
#include <topomp/collective/all_gatherv_by_tree.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <climits>

#include <cstddef>
#include <span>

namespace topo::detail {

template <algorithm Only>
void all_gatherv(const hierarchy& levels, const blocks& result, std::size_t bytes, const plan& chosen) {
    if constexpr (Only != algorithm::flat)
        if (chosen.uses != algorithm::flat) return all_gather<Only>(levels, result, chosen);
    // What MPI's calls cannot count, on which all ranks agree, goes around a ring.
    if (bytes > INT_MAX) return all_gather<algorithm::ring>(levels, result, {algorithm::ring, {}});
    context& ranks = context::of(levels);
    flat_all_gatherv(ranks, result, {INT_MAX, INT_MAX});
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_all_gatherv = forms_of<verb::all_gatherv>([]<algorithm Only> {
    return static_cast<void (*)(const hierarchy&, const blocks&, std::size_t, const plan&)>(
        &all_gatherv<Only>);
});
#endif

} // namespace topo::detail
