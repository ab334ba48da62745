// SPDX-License-Identifier: BSL-1.0
/// @file
/// One step of the hierarchy: from a communicator to its next level, with a constant number of collectives.
#pragma once

#include <topomp/core/detail/comparison.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/hierarchy/options.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace topo::detail {

std::string text_of(const std::vector<kind>& kinds);

/// What of the options all ranks must have in common.
void add_options(comparison& all, const hierarchy_options& options);

/// What the trails of all ranks of a communicator have in common.
struct common_part {
    std::size_t length = 0;  ///< so many first steps are the same on all ranks
    bool is_divided = false; ///< whether any rank has a step beyond
};

/// Compares the trails of all ranks. @collective over `comm` @cost one all-reduce of 768 bytes
common_part compare(MPI_Comm comm, std::span<const trail_step> steps);

/// Splits a communicator by the object at one position of the trails; null on ranks that have none there.
/// @collective over `comm`
boost::mpi::communicator split_by_object(const boost::mpi::communicator& comm,
                                         std::span<const trail_step> steps, std::size_t position,
                                         common_part& common);

/// A new level, and what the trails of its ranks have in common.
struct split_result {
    level below;
    common_part common;
};

/// From a communicator to its next level; nothing on ranks that no object below contains.
///
/// @param steps the trail by which to split, of which the first `known.length` are the same on all ranks
/// @param whole_rank the calling rank's number in the whole communicator
/// @collective over `comm` @pre `known.is_divided`
/// @cost two splits of `comm`; an all-reduce and a broadcast over the new level
std::optional<split_result> split_step(const boost::mpi::communicator& comm,
                                       std::span<const trail_step> steps, common_part known, int depth,
                                       int whole_rank, const std::shared_ptr<const trail>& memory);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hierarchy/impl/split_step.ipp>
#endif
