// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/collective/broadcast_by_tree.hpp>
#include <topomp/collective/engines/hierarchical.hpp>
#include <topomp/collective/engines/native_lanes.hpp>
#include <topomp/collective/engines/of_broadcast.hpp>
#include <topomp/collective/impl/broadcast.ipp>

namespace topo::detail {

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_broadcast = forms_of<verb::broadcast>([]<algorithm Only> {
    return static_cast<void (*)(const hierarchy&, const message&, int, const plan&)>(&broadcast<Only>);
});
#endif

} // namespace topo::detail
