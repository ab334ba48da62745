// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/collective/engines/flat_rooted_blocks.hpp>
#include <topomp/collective/engines/shared_rooted_blocks.hpp>
#include <topomp/collective/engines/tree_blocks.hpp>
#include <topomp/collective/impl/scatter.ipp>
#include <topomp/collective/scatter_by_tree.hpp>

namespace topo::detail {

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_scatter = forms_of<verb::scatter>([]<algorithm Only> {
    return static_cast<void (*)(const hierarchy&, const blocks&, const message&, int, const plan&)>(
        &scatter<Only>);
});
#endif

} // namespace topo::detail
