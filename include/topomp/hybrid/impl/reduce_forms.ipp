// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/collective/detail/as_step.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hybrid/detail/hybrid_steps.hpp>
#include <topomp/hybrid/forms/reduce.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE void add_reduction(hybrid_steps& to, const void* mine, const combination& combiner, int root,
                                 reduce_part between) {
    const window_view& window = to.window;
    to.synchronise(); // all have read what was there
    if (!combiner.is_commutative && !to.groups.are_intervals()) {
        // The rank order alternates between the groups: one tree over all ranks preserves it.
        const int target = root == to_all ? 0 : root;
        to.run(
            reduce_form<as_step>("topo::hybrid::reduce", to.levels, mine, window.all, combiner.op, target));
        if (root == to_all) return add_broadcast(to, nullptr, true, 0, &broadcast_part_by<automatic>);
        return to.synchronise();
    }
    to.run(
        reduce_form<as_step>("topo::hybrid::reduce", to.groups.inside(), mine, window.all, combiner.op, 0));
    if (to.groups.groups() > 1) {
        const int group = root == to_all ? 0 : to.groups.seat_of(root).group;
        if (const hierarchy* roots = to.groups.stratum(0))
            to.run(between(*roots, window.all, combiner.op, group));
    }
    to.synchronise();
}

} // namespace topo::detail
