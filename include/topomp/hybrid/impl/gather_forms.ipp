// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hybrid/detail/block_messages.hpp>
#include <topomp/hybrid/detail/hybrid_steps.hpp>
#include <topomp/hybrid/forms/gather.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE void add_gather(hybrid_steps& to, const message& mine, int root) {
    const blocks all{to.window.all.data, mine.type, mine.count};
    const int group = to.groups.seat_of(root).group;
    const bool is_here = group == to.groups.group();
    if (is_here) {
        to.synchronise(); // all have read what was there
        const std::size_t bytes = mine.count * to.window.element;
        std::byte* const place = to.window.at(all.position_of(to.levels.whole_rank()));
        if (bytes > 0) to.act([place, mine, bytes] { copy_shared(place, mine.data, bytes); });
    }
    if (to.groups.groups() > 1)
        to.run_one<block_messages>([&to, all, mine, group, is_here](block_messages& op) {
            if (is_here)
                op.start(to.groups, all, false);
            else
                op.start(to.groups, mine, group, true);
        });
    if (is_here) to.synchronise();
}

TOPOMP_INLINE void add_scatter(hybrid_steps& to, const message& mine, int root) {
    const blocks all{to.window.all.data, mine.type, mine.count};
    const int group = to.groups.seat_of(root).group;
    const bool is_here = group == to.groups.group();
    if (is_here) {
        to.synchronise(); // the root has written what there is
        const std::size_t bytes = mine.count * to.window.element;
        const std::byte* const place = to.window.at(all.position_of(to.levels.whole_rank()));
        if (bytes > 0) to.act([place, mine, bytes] { copy_shared(mine.data, place, bytes); });
    }
    if (to.groups.groups() > 1)
        to.run_one<block_messages>([&to, all, mine, group, is_here](block_messages& op) {
            if (is_here)
                op.start(to.groups, all, true);
            else
                op.start(to.groups, mine, group, false);
        });
}

} // namespace topo::detail
