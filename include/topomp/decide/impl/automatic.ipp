// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/decide/detail/decisions.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/plan/detail/algorithm.hpp>

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

TOPOMP_INLINE plan choose_prepared(verb what, const hierarchy& levels, std::size_t bytes, bool is_commutative,
                                   call_form form) {
    return decisions::of(levels).prepared(what, bytes, is_commutative, form);
}

TOPOMP_INLINE plan choose_among_first(verb what, const hierarchy& levels, std::size_t bytes) {
    decisions& known = decisions::of(levels);
    call_key now = known.key_of(what, bytes, true, call_form::prepared_among_first);
    now.ranks = now.nodes();
    now.ranks_of_node = now.least_of_node = 1;
    return decide(now, known.sources());
}

TOPOMP_INLINE bool is_first_collective(const hierarchy& levels) {
    return levels.known_attachment<context>() == nullptr;
}

TOPOMP_INLINE void meet_at_first(const hierarchy& levels) { decisions::meet(levels); }

TOPOMP_INLINE plan choose_with_places(verb what, const hierarchy& levels, std::size_t bytes,
                                      bool is_commutative) {
    return decisions::without_asking(levels).at_once(what, bytes, is_commutative,
                                                     call_form::at_once_with_places);
}

/// Whether ranks know all places that a plan needs, and so need not ask for them.
TOPOMP_INLINE bool knows_places_of(const context& ranks, const plan& chosen) {
    if (needs_places(chosen.uses) && !ranks.knows_order()) return false;
    return ranks.knows_nodes_of(chosen.tree) && ranks.knows_nodes_of(chosen.second_tree);
}

TOPOMP_INLINE plan choose_at_once(verb what, const hierarchy& levels, std::size_t bytes,
                                  bool is_commutative) {
    const plan chosen = choose_with_places(what, levels, bytes, is_commutative);
    if (knows_places_of(context::of(levels), chosen)) return chosen;
    return decisions::without_asking(levels).at_once(what, bytes, is_commutative, call_form::at_once);
}

} // namespace topo::detail
