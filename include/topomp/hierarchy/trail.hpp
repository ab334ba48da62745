// SPDX-License-Identifier: BSL-1.0
/// @file
/// A place as the hierarchy sees it: only the objects that may become levels, each with a key of its own.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hierarchy/options.hpp>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
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
    object_key key;   ///< of the object in all its surroundings, unwanted ones included
    std::string name; ///< readable by itself: `node1/L3Cache#0`
};

using trail = std::vector<trail_step>;

/// Ranks compare at most so many steps: every kind once, and room for deep networks and nested groups.
inline constexpr std::size_t longest_trail = 24;

/// The steps of a place that may become levels, outermost first.
/// @throws argument_error if there are more than `longest_trail`
inline trail make_trail(const place& where, const hierarchy_options& options) {
    trail steps;
    object_key key;
    std::string node;
    for (const hardware_object& object : where.path()) {
        key = extend(key, object.kind, object.index, object.name);
        const std::string own = to_string(object);
        if (object.kind == kind::machine) node = own + '/';
        if (!options.wants(object.kind)) continue;
        if (steps.size() == longest_trail)
            throw argument_error("topo::hierarchy",
                                 "a place of " + std::to_string(where.path().size()) + " objects",
                                 "at most " + std::to_string(longest_trail) + " can be told apart");
        steps.push_back({object.kind, key, object.kind == kind::machine ? own : node + own});
    }
    return steps;
}

/// What a communicator stands for: the lowest of the objects that contain exactly its ranks, the others
/// beside.
struct level_type {
    kind type = kind::cluster;
    std::vector<kind> also; ///< the kinds of the other such objects, outermost first
    std::string name = std::string{to_string(kind::cluster)};
};

/// Merges the steps that contain the same ranks. The lowest gives type and name; but a core is called a core
/// though its only PU is lower (paper 1, section 5.1, step 4).
inline level_type merge(std::span<const trail_step> equal) {
    level_type merged;
    if (equal.empty()) return merged;
    std::size_t chosen = equal.size() - 1;
    if (equal[chosen].type == kind::pu)
        for (std::size_t i = 0; i < equal.size(); ++i)
            if (equal[i].type == kind::core) chosen = i;
    merged.type = equal[chosen].type;
    merged.name = equal[chosen].name;
    for (std::size_t i = 0; i < equal.size(); ++i)
        if (i != chosen) merged.also.push_back(equal[i].type);
    return merged;
}

} // namespace topo::detail
