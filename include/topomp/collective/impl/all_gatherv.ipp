// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/team.hpp>
#include <topomp/algorithm/native/native_exchanges.hpp>
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/all_gatherv.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <climits>

#include <cstddef>
#include <span>

namespace topo::detail {

template <way Only>
void all_gatherv(const hierarchy& tree, const blocks& result, std::size_t bytes, const selection& chosen) {
    if constexpr (Only != way::flat)
        if (chosen.how != way::flat) return all_gather<Only>(tree, result, chosen);
    // What MPI's calls cannot count, which all ranks see alike, goes around a ring.
    if (bytes > INT_MAX) return all_gather<way::ring>(tree, result, {way::ring, {}});
    team& ranks = team::of(tree);
    flat_all_gatherv(ranks, result, {INT_MAX, INT_MAX});
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_all_gatherv = forms_of<verb::all_gatherv>([]<way Only> {
    return static_cast<void (*)(const hierarchy&, const blocks&, std::size_t, const selection&)>(
        &all_gatherv<Only>);
});
#endif

} // namespace topo::detail
