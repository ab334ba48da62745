// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/looped_operations.hpp>
#include <topomp/algorithm/native.hpp>
#include <topomp/algorithm/run.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/core/inline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

namespace topo::detail {

TOPOMP_INLINE void barrier(const hierarchy& tree, const selection& chosen) {
    team& ranks = team::of(tree);
    if (chosen.how == way::flat) return flat_barrier(ranks.wire());
    if (chosen.how == way::looped) return looped_barrier(ranks, chosen.loop);
    barrier_by_engine(ranks, chosen, to_the_end{});
}

} // namespace topo::detail
