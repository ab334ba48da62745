// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/rounds/group_exchange.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/algorithm/shared/node_synchronisation.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/all_to_all.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>

namespace topo::detail {

TOPOMP_INLINE void hybrid_all_to_all(const hierarchy& levels, const exchanged_blocks& from,
                                     const exchanged_blocks& to, const window_view& window,
                                     hybrid::meeting sync) {
    copy_groups& groups = window.groups(levels);
    node_synchronisation node_sync = window.synchronisation(levels, sync);
    all_to_all_of_groups(groups, from, to, window.all.type, window.element, node_sync);
}

} // namespace topo::detail
