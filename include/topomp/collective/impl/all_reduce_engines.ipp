// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/collective/all_reduce_by_tree.hpp>
#include <topomp/collective/engines/hierarchical.hpp>
#include <topomp/collective/engines/native_lanes.hpp>
#include <topomp/collective/engines/of_all_reduce.hpp>
#include <topomp/collective/impl/all_reduce.ipp>

namespace topo::detail {

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_all_reduce = forms_of<verb::all_reduce>([]<algorithm Only> {
    return static_cast<void (*)(const hierarchy&, const void*, const message&, combination, const plan&)>(
        &all_reduce<Only>);
});
#endif

} // namespace topo::detail
