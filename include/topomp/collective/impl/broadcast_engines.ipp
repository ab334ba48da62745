// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/collective/broadcast_by_tree.hpp>
#include <topomp/collective/engines/circulant.hpp>
#include <topomp/collective/engines/flat.hpp>
#include <topomp/collective/engines/hierarchical.hpp>
#include <topomp/collective/engines/lanes.hpp>
#include <topomp/collective/engines/native_lanes.hpp>
#include <topomp/collective/engines/recursive_doubling.hpp>
#include <topomp/collective/engines/split_trees.hpp>
#include <topomp/collective/engines/tree.hpp>
#include <topomp/collective/impl/broadcast.ipp>

namespace topo::detail {

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_broadcast = forms_of<verb::broadcast>([]<algorithm Only> {
    return static_cast<void (*)(const hierarchy&, const message&, int, const plan&)>(&broadcast<Only>);
});
#endif

} // namespace topo::detail
