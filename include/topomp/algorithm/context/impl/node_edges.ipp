// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/context/node_edges.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/node_aware_tree.hpp>
#include <topomp/algorithm/tree/ranks_by_node.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/algorithm/tree/two_levels.hpp>
#include <topomp/core/detail/atomic_value.hpp>
#include <topomp/core/detail/inline.hpp>

namespace topo::detail {

TOPOMP_INLINE tree_edges make_node_edges(context& ranks, const tree_plan& plan, int root) {
    if (plan.node_aware)
        return node_aware_tree{ranks.by_node(machine_part::widest)}.edges(root, ranks.rank(),
                                                                          plan.node_aware);
    return two_level_edges(ranks.by_node(machine_part::numa_node), plan.through, plan.along(), plan.inside(),
                           root, ranks.rank());
}

#ifdef TOPOMP_COMPILED
constinit atomic_value<node_edges_function> node_edges_maker{&make_node_edges};
#endif

} // namespace topo::detail
