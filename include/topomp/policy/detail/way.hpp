// SPDX-License-Identifier: BSL-1.0
/// @file
/// Every verb, every engine, and which engine can serve which verb.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

namespace topo::detail {

/// Every collective.
enum class verb {
    barrier,
    broadcast,
    reduce,
    all_reduce,
    gather,
    gatherv,
    scatter,
    scatterv,
    all_gather,
    all_gatherv,
    all_to_all,
    all_to_allv,
    reduce_scatter,
    scan,
    exclusive_scan
};

/// Which engine moves the data. `any`: known only at run time.
enum class way {
    none,
    any,
    flat,
    hierarchical,
    tree,
    halves,
    lanes,
    native_lanes,
    ring,
    bruck,
    pairwise,
    dissemination,
    recursive_doubling,
    recursive_halving,
    rabenseifner,
    shared
};

inline constexpr std::size_t number_of_ways = static_cast<std::size_t>(way::shared) + 1;

/// Whether an engine can serve a verb.
constexpr bool serves(way how, verb what) {
    if (how == way::flat) return true;
    const bool along_levels = how == way::hierarchical || how == way::tree;
    if (how == way::shared)
        return what == verb::gather || what == verb::scatter || what == verb::all_gather ||
               what == verb::all_to_all || what == verb::reduce_scatter;
    switch (what) {
    case verb::barrier:
        return along_levels || how == way::dissemination || how == way::recursive_doubling;
    case verb::broadcast:
        return along_levels || how == way::halves || how == way::lanes || how == way::native_lanes ||
               how == way::recursive_doubling;
    case verb::reduce:
        return along_levels || how == way::lanes || how == way::native_lanes || how == way::rabenseifner;
    case verb::all_reduce:
        return along_levels || how == way::lanes || how == way::native_lanes || how == way::rabenseifner ||
               how == way::recursive_doubling || how == way::ring;
    case verb::all_gather:
    case verb::all_gatherv:
        return how == way::tree || how == way::lanes || how == way::ring || how == way::bruck ||
               how == way::recursive_doubling;
    case verb::all_to_all:
        return how == way::pairwise || how == way::bruck || how == way::recursive_doubling;
    case verb::all_to_allv:
        return how == way::pairwise;
    case verb::reduce_scatter:
        return along_levels || how == way::lanes || how == way::ring || how == way::recursive_halving;
    default:
        return how == way::tree;
    }
}

/// Whether a call may come to an engine, where the compiler knows of one that was chosen, or of `any`. What
/// the MPI's own calls cannot count or combine goes along trees.
constexpr bool may_be(way only, way how) {
    return only == way::any || only == how || (only == way::flat && how == way::tree);
}

/// Whether a verb combines operands.
constexpr bool combines(verb what) {
    return what == verb::reduce || what == verb::all_reduce || what == verb::reduce_scatter ||
           what == verb::scan || what == verb::exclusive_scan;
}

/// Whether an engine combines operands in another order than that of ranks, whatever the shapes.
constexpr bool reorders(way how) {
    return how == way::ring || how == way::recursive_halving || how == way::rabenseifner;
}

/// Whether an engine can serve a verb while the caller works: `native` cannot, for the collectives of several
/// levels would have to start in the same order on all ranks.
constexpr bool serves_in_background(way how, verb what) {
    const bool has_form = what == verb::barrier || what == verb::broadcast || what == verb::reduce ||
                          what == verb::all_reduce || what == verb::all_gather || what == verb::all_to_all;
    const bool has_engine = how != way::hierarchical && how != way::shared && how != way::halves &&
                            how != way::lanes && how != way::native_lanes;
    return has_form && has_engine && serves(how, what);
}

/// `form.template operator()<way>()` for each engine that serves a verb, and in the places of the others for
/// `any`. With it `topomp::compiled` names the functions of all engines, so that it has them.
template <verb Verb, bool (*Serves)(way, verb) = &serves, class Form>
constexpr auto forms_of(Form form) {
    const auto of = [form]<std::size_t... Ways>(std::index_sequence<Ways...>) {
        return std::array{form.template operator() < Serves(static_cast<way>(Ways), Verb)
                              ? static_cast<way>(Ways)
                              : way::any > ()...};
    };
    return of(std::make_index_sequence<number_of_ways>{});
}

} // namespace topo::detail
