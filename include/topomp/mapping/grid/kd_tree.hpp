// SPDX-License-Identifier: BSL-1.0
/// @file
/// Halving the grid until single cells are left, and giving these to the nodes in order.
#pragma once

#include <topomp/mapping/mapping_problem.hpp>

#include <cstdint>
#include <vector>

namespace topo::detail {

/// Of each dimension, the weight of the offsets that a cut across it can separate.
std::vector<std::int64_t> crossing_weights(const stencil& pattern);

/// The k-d tree of Hunold, von Kirchbach, Lehr, Schulz and Traeff (2020): the dimension that has the most
/// cells for each offset across it is halved, whatever the nodes' sizes.
node_map kd_tree_map(const grid_problem& problem);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/grid/impl/kd_tree.ipp>
#endif
