// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/algorithm/shared/node_blocks.hpp>
#include <topomp/algorithm/shared/node_synchronisation.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/detail/block_messages.hpp>
#include <topomp/hybrid/detail/through_nodes.hpp>
#include <topomp/hybrid/gather.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <boost/mpi/config.hpp>

namespace topo::detail {

TOPOMP_INLINE void hybrid_gather(const hierarchy& levels, const window_view& window, const message& mine,
                                 int root, hybrid::meeting sync) {
    const blocks all{window.all.data, mine.type, mine.count};
    if (goes_through_nodes(levels, window, bytes_of(mine), sync)) {
        const in_flight::turn alone{in_flight::of(levels)};
        if (node_blocks{levels, bytes_of(mine)}.gather(mine, all, root)) return;
    }
    auto& groups = window.groups(levels);
    const int to = groups.seat_of(root).group;
    const bool is_here = to == groups.group();
    node_synchronisation node_sync = window.synchronisation(levels, sync);
    groups.all_ranks();
    if (is_here) {
        node_sync.all(); // all have read what was there
        if (mine.count > 0)
            copy_shared(window.at(all.position_of(levels.whole_rank())), mine.data,
                        mine.count * window.element);
    }
    if (groups.groups() > 1)
        run(groups.ranks().pool<block_messages>(), [&](block_messages& op) {
            if (is_here)
                op.start(groups, all, false);
            else
                op.start(groups, mine, to, true);
        });
    if (is_here) node_sync.all();
}

} // namespace topo::detail
