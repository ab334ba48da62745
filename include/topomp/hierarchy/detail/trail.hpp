// SPDX-License-Identifier: BSL-1.0
/// @file
/// The part of a place that a hierarchy uses: the objects that may become levels, each with a key of its own.
#pragma once

#include <topomp/hardware/kind.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
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

/// What a communicator is called after, and what else its ranks share.
struct level_kinds {
    kind type = kind::cluster;
    std::vector<kind> also;         ///< of the other objects with the same processing units
    std::vector<kind> ranks_within; ///< of the objects with other processing units that contain all ranks,
                                    ///< outermost first
    std::size_t chosen = 0;         ///< of the steps, the one that it is called after
};

/// `also Package, NUMANode; ranks within Core, PU`; empty if there is neither.
std::string kinds_text(const std::vector<kind>& also, const std::vector<kind>& ranks_within);

/// The kind of the smallest object that contains all ranks of a level; the core where that is its PU.
kind innermost_kind(kind type, const std::vector<kind>& also, const std::vector<kind>& ranks_within);

template <class Info>
kind innermost_kind(const Info& level) {
    return innermost_kind(level.type, level.also, level.ranks_within);
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
