// SPDX-License-Identifier: BSL-1.0
/// @file
/// The kinds of hardware object that a level of the hierarchy can stand for.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace topo {

/// A kind of hardware object, outermost first. The order is the usual nesting; the real nesting is each
/// machine's own (a NUMA node may lie inside a package or around several), and a group can lie anywhere.
enum class kind : unsigned char {
    cluster, ///< everything: what joins ranks of different nodes that no known switch joins
    network_switch,
    machine,
    group,
    package,
    die,
    numa_node,
    l5_cache,
    l4_cache,
    l3_cache,
    l2_cache,
    l1_cache,
    core,
    pu
};

namespace detail {

struct kind_name {
    kind which;
    std::string_view name; ///< hwloc's name, the one in every output
};

inline constexpr std::array<kind_name, 14> kind_names{{{kind::cluster, "System - Cluster"},
                                                       {kind::network_switch, "Switch"},
                                                       {kind::machine, "Machine"},
                                                       {kind::group, "Group"},
                                                       {kind::package, "Package"},
                                                       {kind::die, "Die"},
                                                       {kind::numa_node, "NUMANode"},
                                                       {kind::l5_cache, "L5Cache"},
                                                       {kind::l4_cache, "L4Cache"},
                                                       {kind::l3_cache, "L3Cache"},
                                                       {kind::l2_cache, "L2Cache"},
                                                       {kind::l1_cache, "L1Cache"},
                                                       {kind::core, "Core"},
                                                       {kind::pu, "PU"}}};

} // namespace detail

/// hwloc's name of a kind: `NUMANode`, `L3Cache`, `PU`; `Switch` and, as paper 1 (4.1.4) calls it, `System -
/// Cluster` where hwloc has none.
constexpr std::string_view to_string(kind which) {
    return detail::kind_names[static_cast<std::size_t>(which)].name;
}

/// The kind with exactly this name, or nothing. The inverse of `to_string`.
constexpr std::optional<kind> kind_from_string(std::string_view name) {
    for (const auto& entry : detail::kind_names)
        if (entry.name == name) return entry.which;
    return std::nullopt;
}

namespace detail {

/// Whether what lies in such an object may be several nodes.
constexpr bool joins_nodes(kind which) { return which == kind::cluster || which == kind::network_switch; }

} // namespace detail

} // namespace topo
