// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/collective/all_gather_by_tree.hpp>
#include <topomp/collective/all_gatherv_by_tree.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

namespace topo::detail {

template <algorithm Only>
void all_gatherv(const hierarchy& levels, const blocks& result, const plan& chosen) {
    all_gather<Only>(levels, result, chosen);
}

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_all_gatherv = forms_of<verb::all_gatherv>([]<algorithm Only> {
    return static_cast<void (*)(const hierarchy&, const blocks&, const plan&)>(&all_gatherv<Only>);
});
#endif

} // namespace topo::detail
