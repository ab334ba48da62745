// SPDX-License-Identifier: BSL-1.0
/// @file
/// A place as the hierarchy sees it: only the objects that may become levels, each with a key of its own.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hierarchy/options.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace topo::detail {

/// Identifies an object and everything around it among all objects of a machine: 128 bits mixed from the
/// whole path, so that a million objects collide with a probability below 10^-26. Never all zero: that means
/// 'none'.
///
/// Ranks compare places by keys alone, which have a fixed size and can be reduced, and so need no names from
/// each other and no gather.
struct object_key {
    std::uint64_t high = 0, low = 0;
    friend auto operator<=>(const object_key&, const object_key&) = default;
};

/// The finaliser of splitmix64: every input bit reaches every output bit.
constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

constexpr object_key extend(object_key key, std::uint64_t word) {
    key.high = mix(key.high ^ mix(word + 0x9e3779b97f4a7c15ULL));
    key.low = mix(key.low + mix(word ^ 0xd1b54a32d192ed03ULL) * 3 + 1);
    return key;
}

constexpr object_key extend(object_key key, kind which, int index, std::string_view name) {
    key = extend(key, (static_cast<std::uint64_t>(which) << 32) | static_cast<std::uint32_t>(index));
    key = extend(key, name.size());
    for (const char c : name)
        key = extend(key, static_cast<unsigned char>(c));
    return key.high == 0 && key.low == 0 ? object_key{1, 1} : key;
}

/// One object of a trail.
struct trail_step {
    kind type{};
    object_key key;           ///< of the object in all its surroundings, unwanted ones included
    std::string name;         ///< readable by itself: `node1/L3Cache#0`
    bool fills_outer = false; ///< whether it has the same processing units as the step before it
};

using trail = std::vector<trail_step>;

/// Ranks compare at most so many steps: every kind once, and some more for deep networks and nested groups.
inline constexpr std::size_t longest_trail = 24;

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

/// What a communicator is called after, and what else its ranks share.
struct level_kinds {
    kind type = kind::cluster;
    std::vector<kind> also;         ///< of the other objects with the same processing units
    std::vector<kind> ranks_within; ///< of the objects with other processing units that contain all ranks,
                                    ///< outermost first
    std::size_t chosen = 0;         ///< of the steps, the one that it is called after
};

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
    std::ranges::sort(result.also);
    for (std::size_t i = 0; i < size;) { // objects with the same processing units in the usual order, too
        std::vector<kind> same{shared[i].type};
        const bool is_chosen = i == first;
        while (++i < size && shared[i].fills_outer)
            same.push_back(shared[i].type);
        std::ranges::sort(same);
        if (!is_chosen) result.ranks_within.insert(result.ranks_within.end(), same.begin(), same.end());
    }
    return result;
}

/// `also Package, NUMANode; ranks within Core, PU`; empty if there is neither.
std::string kinds_text(const std::vector<kind>& also, const std::vector<kind>& ranks_within);

/// The kind of the smallest object that contains all ranks of a level; the core where that is its PU.
template <class Info>
kind innermost_kind(const Info& level) {
    const auto& within = level.ranks_within;
    // The larger objects around a whole are switches, and stand first.
    if (within.empty() || within.back() == kind::network_switch) return level.type;
    const bool is_in_core = level.type == kind::core ||
                            std::ranges::find(level.also, kind::core) != level.also.end() ||
                            std::ranges::find(within, kind::core) != within.end();
    return within.back() == kind::pu && is_in_core ? kind::core : within.back();
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

/// The name of a level: of the object that it is called after; of switches that contain the same ranks all
/// names, outermost first, as in `spine/leaf0`.
/// @param name gives the name of one of the steps
template <class Steps, class Name>
std::string name_of_level(const Steps& shared, const level_kinds& called, Name name) {
    if (std::size(shared) == 0) return std::string{to_string(called.type)};
    if (called.type != kind::network_switch) return name(shared[called.chosen]);
    std::string all;
    for (const auto& each : shared)
        if (each.type == kind::network_switch) all += (all.empty() ? "" : "/") + name(each);
    return all;
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hierarchy/impl/trail.ipp>
#endif
