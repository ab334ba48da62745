// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/collective/engines/hierarchical.hpp>
#include <topomp/collective/engines/native_lanes.hpp>
#include <topomp/collective/engines/of_reduce.hpp>
#include <topomp/collective/impl/reduce.ipp>
#include <topomp/collective/reduce_by_tree.hpp>

namespace topo::detail {

#ifdef TOPOMP_COMPILED
[[gnu::used]] static constexpr auto compiled_reduce = forms_of<verb::reduce>([]<algorithm Only> {
    return static_cast<void (*)(const hierarchy&, const void*, const message&, combination, int,
                                const plan&)>(&reduce<Only>);
});
#endif

} // namespace topo::detail
