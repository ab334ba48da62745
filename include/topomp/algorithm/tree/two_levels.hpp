// SPDX-License-Identifier: BSL-1.0
/// @file
/// One tree among all nodes, and one inside each, as a pure function.
#pragma once

#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/ranks_by_node.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>

namespace topo::detail {

/// A rank's edges if one tree joins one rank of each node, regardless of switches, and another the ranks of
/// each node, regardless of its levels. @cost linear in the number of nodes and of the node's ranks
tree_edges two_level_edges(const ranks_by_node& nodes, node_leader which, const any_shape& between,
                           const any_shape& inside, int root, int rank);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/tree/impl/two_levels.ipp>
#endif
