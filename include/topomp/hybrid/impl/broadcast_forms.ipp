// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/hybrid/detail/hybrid_steps.hpp>
#include <topomp/hybrid/forms/broadcast.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE void add_broadcast(hybrid_steps& to, const void* elements, bool is_in_place, int root,
                                 broadcast_part between) {
    const auto from = to.groups.seat_of(root);
    const bool is_here = from.group == to.groups.group();
    if (!is_here || !is_in_place) to.synchronise(); // all have read what was there
    if (is_here && !is_in_place && to.groups.number() == from.number && to.window.bytes() > 0)
        to.act([&to, elements] { copy_shared(to.window.all.data, elements, to.window.bytes()); });
    if (to.groups.groups() > 1)
        if (const hierarchy* across = to.groups.stratum(from.number))
            to.run(between(*across, to.window.all, from.group));
    to.synchronise();
}

} // namespace topo::detail
