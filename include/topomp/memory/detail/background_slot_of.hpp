// SPDX-License-Identifier: BSL-1.0
/// @file
/// The slot for what was started on a hierarchy.
#pragma once

#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/background_work.hpp>

#include <memory>

namespace topo::detail {

/// The slot of a hierarchy, made at first use. It is shared, because a `waiting` may outlive the hierarchy.
/// Local
std::shared_ptr<background_slot> background_slot_of(const hierarchy& levels);

/// The hierarchy of a part of the ranks has the slot of the whole. Local
void share_background_slot(const hierarchy& part, const std::shared_ptr<background_slot>& of_whole);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/memory/impl/background_slot_of.ipp>
#endif
