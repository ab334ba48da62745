// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/detail/through_nodes.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/oversubscription.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE bool goes_through_nodes(const hierarchy& levels, const window_view& window, std::size_t bytes,
                                      hybrid::meeting sync) {
    constexpr std::size_t most_bytes = 4096;
    const arena& node = arena::of(levels);
    // The window of a level may be one of the node on this rank, and of a part of it on others.
    return sync == hybrid::meeting::signals && bytes <= most_bytes && window.over_level == nullptr &&
           MPI_Comm{node.comm()} == MPI_Comm{window.comm} && oversubscription::of(levels).is_oversubscribed;
}

} // namespace topo::detail
