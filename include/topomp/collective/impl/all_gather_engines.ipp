// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/collective/all_gather_by_tree.hpp>
#include <topomp/collective/engines/node_aggregated.hpp>
#include <topomp/collective/engines/of_all_gather.hpp>
#include <topomp/collective/engines/shared_all_gather.hpp>
#include <topomp/collective/impl/all_gather.ipp>

namespace topo::detail {

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_all_gather = forms_of<verb::all_gather>([]<algorithm Only> {
    return static_cast<void (*)(const hierarchy&, const blocks&, const plan&)>(&all_gather<Only>);
});
#endif

} // namespace topo::detail
