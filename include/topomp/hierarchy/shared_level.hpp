// SPDX-License-Identifier: BSL-1.0
/// @file
/// How close ranks are: the lowest level that they share.
#pragma once

#include <topomp/hierarchy/hierarchy.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace topo {

namespace detail {

/// The same as `topo::lowest_shared_node`, with the name of the function that a user called.
std::optional<int> lowest_shared_node(std::string_view call, const hierarchy& levels,
                                      std::span<const int> ranks);

} // namespace detail

/// The lowest level that all listed ranks of the whole share, as an `i` for `levels.node(i)`: 0 for the
/// whole; nothing if the calling rank is not one of them, because a rank has only its own levels. Local.
/// @throws argument_error for a rank that does not exist
std::optional<int> lowest_shared_node(const hierarchy& levels, std::span<const int> ranks);

/// The kind of the smallest object that all listed ranks share, by name: hwloc's name, `Switch`,
/// `System - Cluster` if nothing but the whole joins their nodes, `Unknown` if the calling rank is not
/// listed. Local. @throws argument_error for a rank that does not exist
/// @see paper 1, sections 3.3.2 and 4.1.4 (`MPI_Comm_get_min_hlevel`)
std::string lowest_shared_type(const hierarchy& levels, std::span<const int> ranks);

/// The deepest i for which ranks `a` and `b` of the whole are both in `levels.node(i)`: the level on which
/// they communicate most cheaply. For one rank twice, its depth.
/// @collective over the whole, with the same ranks @cost three broadcasts of O(depth) bytes
/// @throws argument_error for a rank that does not exist
/// @see paper 4, section 4 (`MPI_Comm_level`)
int shared_depth(const hierarchy& levels, int a, int b);

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hierarchy/impl/shared_level.ipp>
#endif
