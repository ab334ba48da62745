// SPDX-License-Identifier: BSL-1.0
/// @file
/// All mappings of a grid, one after the other.
#pragma once

#include <topomp/mapping/mapping_problem.hpp>

#include <cstdint>
#include <optional>

namespace topo::detail {

/// Whether there are at most so many assignments of cells to nodes.
bool has_few_mappings(const node_list& nodes, std::int64_t most);

/// The best of all mappings; the first of equals. Nothing if there are many.
std::optional<node_map> exhaustive_map(const grid_problem& problem);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/grid/impl/exhaustive.ipp>
#endif
