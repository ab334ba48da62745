// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/collective/engines/flat_rooted_blocks.hpp>
#include <topomp/collective/engines/shared_rooted_blocks.hpp>
#include <topomp/collective/engines/tree_blocks.hpp>
#include <topomp/collective/gather_by_tree.hpp>
#include <topomp/collective/impl/gather.ipp>

namespace topo::detail {

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_gather = forms_of<verb::gather>([]<algorithm Only> {
    return static_cast<void (*)(const hierarchy&, const message&, const blocks&, int, const plan&)>(
        &gather<Only>);
});
#endif

} // namespace topo::detail
