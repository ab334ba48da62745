// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/decide/detail/decisions.hpp>
#include <topomp/decide/detail/tuned.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE call_key local_call_key(verb what, const hierarchy& levels, std::size_t bytes,
                                      bool is_commutative) {
    return {.what = what,
            .joins_all = innermost_kind(levels.whole_info()),
            .max_depth = levels.max_depth(),
            .bytes = bytes,
            .is_commutative = is_commutative,
            .ranks = levels.whole_size(),
            .uses_memory = moves_in_memory(),
            .ranks_of_node = levels.most_ranks_of_node()};
}

TOPOMP_INLINE plan choose_automatically(verb what, const hierarchy& levels, std::size_t bytes,
                                        bool is_commutative) {
    return decisions::of(levels).of(what, bytes, is_commutative);
}

TOPOMP_INLINE plan choose_without_memory(verb what, const hierarchy& levels, std::size_t bytes,
                                         bool is_commutative) {
    call_key now = decisions::of(levels).key_of(what, bytes, is_commutative);
    now.uses_memory = false;
    return decide(now);
}

TOPOMP_INLINE plan choose_among_first(verb what, const hierarchy& levels, std::size_t bytes) {
    const decisions& known = decisions::of(levels);
    call_key now = known.key_of(what, bytes, true);
    now.ranks = now.nodes();
    now.ranks_of_node = now.least_of_node = 1;
    return decide(now, known.sources());
}

TOPOMP_INLINE plan choose_in_background(verb what, const hierarchy& levels, std::size_t bytes,
                                        bool is_commutative) {
    call_key now = local_call_key(what, levels, bytes, is_commutative);
    now.is_in_background = true;
    return decide(now);
}

TOPOMP_INLINE plan choose_at_once(verb what, const hierarchy& levels, std::size_t bytes,
                                  bool is_commutative) {
    plan chosen = choose_in_background(what, levels, bytes, is_commutative);
    if (chosen.uses == algorithm::tree && !context::of(levels).knows_nodes_of(chosen.tree))
        chosen.tree = best_plan_in_order(local_call_key(what, levels, bytes, is_commutative)).tree;
    return chosen;
}

} // namespace topo::detail
