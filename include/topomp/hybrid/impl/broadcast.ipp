// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/lanes/stripes.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/algorithm/shared/node_synchronisation.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/broadcast.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE void hybrid_broadcast(const hierarchy& levels, const window_view& window, const void* elements,
                                    bool is_in_place, int root, hybrid::meeting sync, bool by_lanes,
                                    broadcast_between between) {
    auto& groups = window.groups(levels);
    const auto from = groups.seat_of(root);
    const bool is_here = from.group == groups.group();
    const bool is_alone = groups.groups() == 1;
    node_synchronisation node_sync = window.synchronisation(levels, sync);
    // The rank that exchanges for its group: in the root's group the root.
    const int carrier = groups.carrier(from.number);
    if (is_here) {
        if (!is_in_place) {
            node_sync.before(carrier); // all have read what was there
            if (groups.number() == carrier && window.bytes() > 0)
                copy_shared(window.all.data, elements, window.bytes());
        }
        node_sync.after(carrier, window.bytes());
    } else if (by_lanes) {
        node_sync.all();
    } else {
        node_sync.before(carrier);
    }
    if (is_alone) return;
    if (by_lanes) {
        for (int lane = 0; lane < groups.lanes(); ++lane)
            if (const hierarchy* along = groups.stratum(lane)) {
                const auto number = static_cast<std::size_t>(lane);
                between(*along, stripe_of(window.all, number, static_cast<std::size_t>(groups.lanes())),
                        from.group);
            }
        if (!is_here) node_sync.all();
        return;
    }
    if (const hierarchy* across = groups.stratum(from.number)) between(*across, window.all, from.group);
    if (!is_here) node_sync.after(carrier, window.bytes());
}

} // namespace topo::detail
