// SPDX-License-Identifier: BSL-1.0
/// @file
/// The objects of a place that may become levels, and what levels are called after them.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/options.hpp>

#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

/// Calls `take(object, key, fills_outer, node)` for each object of a place that may become a level, outermost
/// first; `node` is null for what is not inside a node.
/// @throws argument_error if there are more than `longest_trail`
template <class Take>
void each_step(std::span<const hardware_object> path, const hierarchy_options& options, Take take) {
    object_key key;
    std::size_t steps = 0;
    bool fills_outer = true; // the wanted object before it
    const hardware_object* node = nullptr;
    for (const hardware_object& object : path) {
        key = extend(key, object.kind, object.index, object.name);
        fills_outer = fills_outer && object.fills_outer;
        const auto* const around = node;
        if (object.kind == kind::machine) node = &object;
        if (!options.wants(object.kind)) continue;
        if (steps++ == longest_trail)
            throw argument_error("topo::hierarchy", "a place of " + std::to_string(path.size()) + " objects",
                                 "at most " + std::to_string(longest_trail) + " can be told apart");
        take(object, key, std::exchange(fills_outer, true), around);
    }
}

/// The steps of a place that may become levels, outermost first. @throws as `each_step`
trail make_trail(const place& where, const hierarchy_options& options);

/// In the usual order of nesting. There are few.
void sort_kinds(std::vector<kind>& kinds);

/// Calls ranks after one of the objects that all of them share: after the lowest of the objects that have
/// the same processing units as this one. A PU is called so only where it is alone, a core otherwise (paper
/// 1, section 5.1, step 4).
/// @param shared steps, of a trail or alike @param which of them, if there are any
template <class Steps>
level_kinds called_after(const Steps& shared, std::size_t which) {
    level_kinds result;
    const std::size_t size = std::size(shared);
    if (size == 0) return result;
    std::size_t first = which, end = which + 1;
    while (first > 0 && shared[first].fills_outer)
        --first;
    while (end < size && shared[end].fills_outer)
        ++end;
    // Machines nest such objects in different orders, NUMA nodes in L3 caches and the other way round: the
    // usual order decides.
    const auto lowness = [&](std::size_t i) {
        return shared[i].type == kind::pu ? -1 : static_cast<int>(shared[i].type);
    };
    result.chosen = first;
    for (std::size_t i = first; i < end; ++i)
        if (lowness(i) >= lowness(result.chosen)) result.chosen = i;
    result.type = shared[result.chosen].type;
    for (std::size_t i = first; i < end; ++i)
        if (i != result.chosen) result.also.push_back(shared[i].type);
    sort_kinds(result.also);
    for (std::size_t i = 0; i < size;) { // objects with the same processing units in the usual order, too
        std::vector<kind> same{shared[i].type};
        const bool is_chosen = i == first;
        while (++i < size && shared[i].fills_outer)
            same.push_back(shared[i].type);
        sort_kinds(same);
        if (!is_chosen) result.ranks_within.insert(result.ranks_within.end(), same.begin(), same.end());
    }
    return result;
}

/// Calls a level by the objects that its ranks share beyond what its parent's do: after the outermost, for it
/// is this one that separates the level from its siblings. @see paper 1, section 3.2.2
template <class Steps>
level_kinds kinds_of_level(const Steps& beyond) {
    return called_after(beyond, 0);
}

/// Calls the whole, which has no siblings, by the objects that its ranks share: after their node or else the
/// lowest switch; where the steps have neither, after the outermost.
template <class Steps>
level_kinds kinds_of_whole(const Steps& shared) {
    std::size_t which = 0;
    for (std::size_t i = 0; i < std::size(shared); ++i)
        if (shared[i].type <= kind::machine) which = i;
    return called_after(shared, which);
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hierarchy/impl/trail_steps.ipp>
#endif
