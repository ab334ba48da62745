// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/hybrid/detail/hybrid_steps.hpp>
#include <topomp/hybrid/forms/all_gather.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE void add_all_gather(hybrid_steps& to, const void* mine, bool is_in_place,
                                  const rank_blocks& where, all_gather_part between) {
    const int rank = to.levels.whole_rank();
    const std::size_t bytes = where.count(rank) * to.window.element;
    if (!is_in_place) {
        to.synchronise(); // all have read what was there
        if (bytes > 0) {
            std::byte* const place = to.window.at(where.position(rank));
            to.act([place, mine, bytes] { copy_shared(place, mine, bytes); });
        }
    }
    to.synchronise();
    if (to.groups.groups() == 1) return;
    // Each rank sends its own block to the ranks with its number in the other groups.
    for (int stratum = 0; stratum < to.groups.strata(); ++stratum)
        if (const hierarchy* along = to.groups.stratum(stratum))
            to.run(between(*along, blocks_of_stratum(to.groups, stratum, where, to.window)));
    to.synchronise();
}

} // namespace topo::detail
