// SPDX-License-Identifier: BSL-1.0
/// @file
/// Every verb, every engine, and which engine can serve which verb.
#pragma once

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

/// Which engine moves the data.
enum class way {
    none,
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

} // namespace topo::detail
