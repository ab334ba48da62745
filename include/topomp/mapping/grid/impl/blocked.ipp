// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/grid/blocked.hpp>
#include <topomp/mapping/mapping_problem.hpp>

namespace topo::detail {

TOPOMP_INLINE node_map blocked_map(const node_list& nodes) {
    node_map map(static_cast<std::size_t>(nodes.total()));
    node_filler filler{nodes, map};
    for (int cell = 0; cell < nodes.total(); ++cell)
        filler.add(cell);
    return map;
}

} // namespace topo::detail
