// SPDX-License-Identifier: BSL-1.0
/// @file
/// All communicators of a running hierarchy, brought to one rank for showing.
#pragma once

#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/outline.hpp>

namespace topo {

/// All communicators of a running hierarchy, on rank `root` of the whole; an empty outline elsewhere. For
/// showing and testing: it is the one thing here whose memory, on the root, grows with the number of ranks.
/// @collective over the whole, with the same root @throws argument_error if there is no such root
outline gather_outline(const hierarchy& levels, int root = 0);

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hierarchy/impl/gather_outline.ipp>
#endif
