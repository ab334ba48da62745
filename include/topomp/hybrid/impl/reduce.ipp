// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/algorithm/shared/node_synchronisation.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/all_reduce.hpp>
#include <topomp/hybrid/detail/combine_in_group.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/reduce.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/detail/oversubscription.hpp>

namespace topo::detail {

TOPOMP_INLINE void hybrid_reduce(const hierarchy& levels, const window_view& window, const operands& from,
                                 int root, const combination& combiner, const reduction_options& options,
                                 reduce_between between) {
    auto& groups = window.groups(levels);
    const auto to = groups.seat_of(root);
    const bool is_here = to.group == groups.group();
    node_synchronisation node_sync = window.synchronisation(levels, options.sync);
    if (!combiner.is_commutative && !groups.are_intervals()) {
        if (is_here) node_sync.before(to.number);
        topo::reduce(levels, from.mine(), window.all, combiner.op, root);
        if (is_here) node_sync.after(to.number);
        return;
    }
    combine_in_group inside{groups, window, node_sync, from, combiner.op};
    const auto algorithm = combining_of(options.inside, window.bytes(), groups.strata(),
                                        oversubscription::of(levels).is_oversubscribed);
    inside.run(algorithm);
    const bool is_in_slices = algorithm == hybrid::combining::by_slices;
    const bool is_alone = groups.groups() == 1;
    if (is_alone) return is_in_slices ? node_sync.all() : node_sync.after(0);
    if (options.by_lanes) {
        if (is_in_slices)
            node_sync.all();
        else
            node_sync.after(0);
        for (int lane = 0; lane < groups.lanes(); ++lane)
            if (const hierarchy* along = groups.stratum(lane))
                between(*along, combine_in_group::slice_of(window.all, lane, groups.lanes()), combiner,
                        to.group);
        if (is_here) node_sync.all();
        return;
    }
    if (is_in_slices) node_sync.before(0);
    if (!is_here) node_sync.after(0); // no operands are needed any more
    if (const hierarchy* roots = groups.stratum(0)) between(*roots, window.all, combiner, to.group);
    if (is_here) node_sync.after(0);
}

} // namespace topo::detail
