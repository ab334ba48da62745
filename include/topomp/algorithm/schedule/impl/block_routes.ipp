// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/schedule/block_route.hpp>
#include <topomp/algorithm/schedule/block_routes.hpp>
#include <topomp/algorithm/tree/ranks_by_node.hpp>
#include <topomp/core/detail/inline.hpp>

namespace topo::detail {

TOPOMP_INLINE const block_route& block_routes::bruck(int radix) {
    if (const auto known = bruck_.find(radix); known != bruck_.end()) return known->second;
    return bruck_.try_emplace(radix, ranks_.order(), radix).first->second;
}

TOPOMP_INLINE const block_route& block_routes::by_node(int radix) {
    if (const auto known = by_node_.find(radix); known != by_node_.end()) return known->second;
    return by_node_.try_emplace(radix, ranks_.by_node(machine_part::numa_node), ranks_.rank(), radix)
        .first->second;
}

} // namespace topo::detail
