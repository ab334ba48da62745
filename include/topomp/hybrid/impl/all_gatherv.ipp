// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/algorithm/shared/node_synchronisation.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/all_gatherv.hpp>
#include <topomp/hybrid/detail/rank_blocks.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE blocks blocks_of_groups(copy_groups& groups, const rank_blocks& where,
                                      const window_view& window) {
    const grouped_ranks& all = groups.all_ranks();
    auto &counts = groups.counts(), &positions = groups.positions();
    counts.clear();
    positions.clear();
    for (int group = 0; group < groups.groups(); ++group) {
        const int first = all.at(group, 0), last = all.at(group, all.size(group) - 1);
        positions.push_back(where.position(first));
        counts.push_back(where.position(last) + where.count(last) - where.position(first));
    }
    return {window.all.data, window.all.type, 0, counts, positions};
}

TOPOMP_INLINE void all_gather_packed(copy_groups& groups, const hierarchy& roots, const rank_blocks& where,
                                     const window_view& window, all_gather_between between) {
    const grouped_ranks& all = groups.all_ranks();
    auto &counts = groups.counts(), &positions = groups.positions();
    auto& scratch = groups.scratch();
    scratch.resize(window.bytes());
    counts.clear();
    positions.clear();
    std::size_t next = 0;
    const auto for_blocks_of = [&](int group, std::size_t begin, auto f) {
        for (const int rank : all.of(group)) {
            const std::size_t bytes = where.count(rank) * window.element;
            if (bytes > 0) f(scratch.data() + begin * window.element, window.at(where.position(rank)), bytes);
            begin += where.count(rank);
        }
        return begin;
    };
    for (int group = 0; group < groups.groups(); ++group) {
        positions.push_back(next);
        for (const int rank : all.of(group))
            next += where.count(rank);
        counts.push_back(next - positions.back());
    }
    const auto mine = static_cast<std::size_t>(groups.group());
    for_blocks_of(groups.group(), positions[mine], [](void* packed, const void* block, std::size_t bytes) {
        copy_shared(packed, block, bytes);
    });
    between(roots, {scratch.data(), window.all.type, 0, counts, positions});
    for (int group = 0; group < groups.groups(); ++group)
        if (group != groups.group())
            for_blocks_of(group, positions[static_cast<std::size_t>(group)],
                          [](const void* packed, void* block, std::size_t bytes) {
                              copy_shared(block, packed, bytes);
                          });
}

TOPOMP_INLINE void all_gather_by_roots(copy_groups& groups, const rank_blocks& where,
                                       const window_view& window, all_gather_between between) {
    const hierarchy* const roots = groups.stratum(0);
    groups.all_ranks();
    if (roots == nullptr) return;
    if (groups.are_intervals()) return between(*roots, blocks_of_groups(groups, where, window));
    if (window.bytes() <= most_packed) return all_gather_packed(groups, *roots, where, window, between);
    for (int stratum = 0; stratum < groups.strata(); ++stratum)
        between(*roots, blocks_of_stratum(groups, stratum, where, window));
}

TOPOMP_INLINE void hybrid_all_gather(const hierarchy& levels, const window_view& window, const void* mine,
                                     bool is_in_place, const rank_blocks& where, hybrid::meeting sync,
                                     bool by_lanes, all_gather_between between) {
    auto& groups = window.groups(levels);
    const int rank = levels.whole_rank();
    node_synchronisation node_sync = window.synchronisation(levels, sync);
    const bool is_alone = groups.groups() == 1;
    if (!is_in_place) {
        node_sync.all(); // all have read what was there
        if (const std::size_t bytes = where.count(rank) * window.element; bytes > 0)
            copy_shared(window.at(where.position(rank)), mine, bytes);
    }
    if (is_alone) return node_sync.all();
    if (!by_lanes) {
        node_sync.before(0);
        all_gather_by_roots(groups, where, window, between);
        return node_sync.after(0);
    }
    if (is_in_place) node_sync.all();
    groups.all_ranks();
    for (int stratum = 0; stratum < groups.strata(); ++stratum)
        if (const hierarchy* along = groups.stratum(stratum))
            between(*along, blocks_of_stratum(groups, stratum, where, window));
    node_sync.all();
}

} // namespace topo::detail
