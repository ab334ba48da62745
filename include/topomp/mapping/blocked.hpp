// SPDX-License-Identifier: BSL-1.0
/// @file
/// The mapping that MPI gives: rank r has cell r.
#pragma once

#include <topomp/mapping/mapping_problem.hpp>

namespace topo::detail {

inline node_map blocked_map(const node_list& nodes) {
    node_map map(static_cast<std::size_t>(nodes.total()));
    node_filler filler{nodes, map};
    for (int cell = 0; cell < nodes.total(); ++cell)
        filler.add(cell);
    return map;
}

} // namespace topo::detail
