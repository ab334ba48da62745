// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/rounds/group_exchange.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hybrid/detail/hybrid_steps.hpp>
#include <topomp/hybrid/forms/all_to_all.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE void keep_places(hybrid_steps& steps, std::shared_ptr<const places_of_blocks> places) {
    steps.act([places = std::move(places)] {});
}

TOPOMP_INLINE void add_all_to_all(hybrid_steps& to, const exchanged_blocks& from,
                                  const exchanged_blocks& result) {
    to.synchronise(); // all have written their data, and read what was there
    const std::size_t element = to.window.element, bytes = from.count * element;
    if (bytes > 0)
        to.act([&to, from, result, element, bytes] {
            copy_groups& groups = to.groups;
            const grouped_ranks& all = groups.all_ranks();
            const int mine = to.levels.whole_rank();
            for (int i = 0; i < groups.size(); ++i) {
                const int other = (groups.number() + i) % groups.size();
                copy_shared(result.at(groups.number(), all.at(groups.group(), other), element),
                            from.at(other, mine, element), bytes);
            }
        });
    if (bytes > 0 && to.groups.groups() > 1)
        to.run_one<group_exchange>([&to, from, result, element](group_exchange& op) {
            op.start(to.groups, from, result, to.window.all.type, element);
        });
    to.synchronise();
}

} // namespace topo::detail
