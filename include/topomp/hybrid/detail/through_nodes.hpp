// SPDX-License-Identifier: BSL-1.0
/// @file
/// Whether blocks of a window go as those of ordinary collectives do.
#pragma once

#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>

#include <cstddef>

namespace topo::detail {

/// Whether short blocks from or to a window are packed in each node, so that one message leaves or enters it,
/// and one rank fills the window: on oversubscribed nodes a barrier of all ranks is slow.
/// @param window of whole nodes, or nothing does @param bytes of a block
/// @collective over the whole, with the same length and policy
bool goes_through_nodes(const hierarchy& levels, const window_view& window, std::size_t bytes,
                        hybrid::meeting sync);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/through_nodes.ipp>
#endif
