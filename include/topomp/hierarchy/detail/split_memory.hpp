// SPDX-License-Identifier: BSL-1.0
/// @file
/// What is cached on a communicator that came out of a split.
#pragma once

#include <topomp/core/detail/attribute.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/level_info.hpp>

#include <memory>
#include <span>
#include <vector>

namespace topo::detail {

/// What a level is, as `called_after` found it. @param shared the steps that it was found from
level_info info_of(level_kinds found, std::span<const trail_step> shared, int depth);

/// What the ranks share, as objects of a place, known by the level's root: places of some of its ranks that
/// are made of it have the same level.
void append_objects(std::vector<hardware_object>& path, const level_info& info);

/// For queries and further splits.
struct split_memory {
    level_info info;
    std::shared_ptr<const trail> steps;
    int whole_rank = 0; ///< the calling rank's number in the communicator that was split first
};
using split_attribute = attribute<split_memory, on_duplicate::copy>;

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hierarchy/impl/split_memory.ipp>
#endif
