// SPDX-License-Identifier: BSL-1.0
/// @file
/// Whether blocks of a window go as those of ordinary collectives do.
#pragma once

#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/crowding.hpp>

#include <mpi.h>

#include <cstddef>

namespace topo::detail {

/// Whether short blocks from or to a window are packed in each node, so that one message leaves or enters it,
/// and one rank fills the window: where ranks outnumber cores, nobody has time to meet everybody.
/// @param window of whole nodes, or nothing does @param bytes of a block
/// @collective over the whole, with the same length and policy
inline bool goes_through_nodes(const hierarchy& tree, const window_view& window, std::size_t bytes,
                               hybrid::meeting sync) {
    constexpr std::size_t most_bytes = 4096;
    const arena& node = arena::of(tree);
    return sync == hybrid::meeting::signals && bytes <= most_bytes &&
           MPI_Comm{node.comm()} == MPI_Comm{window.comm} && crowding::of(tree).is_crowded;
}

} // namespace topo::detail
