// SPDX-License-Identifier: BSL-1.0
/// @file
/// The kinds of hardware object that a level of the hierarchy can stand for.
#pragma once

#include <array>
#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string_view>

namespace topo {

/// A kind of hardware object, outermost first. The order is the usual nesting; the real nesting is each
/// machine's own (a NUMA node may lie inside a package or around several), and a group can lie anywhere.
enum class kind : unsigned char {
    cluster,        ///< everything: what joins ranks of different nodes that no known switch joins
    network_switch, ///< of any height; several may lie in each other
    machine,        ///< a node
    group,          ///< objects that hwloc puts together without a name of their own
    package,        ///< a socket
    die,            ///< of a package
    numa_node,      ///< cores that are equally close to a part of the memory
    l5_cache,       ///< level 5
    l4_cache,       ///< level 4
    l3_cache,       ///< level 3
    l2_cache,       ///< level 2
    l1_cache,       ///< level 1, of data or of both
    core,           ///< one core
    pu              ///< a processing unit: a hardware thread
};

namespace detail {

struct kind_name {
    kind which;
    std::string_view name;       ///< hwloc's name, as in every output
    std::string_view enumerator; ///< as in policies
};

inline constexpr std::array<kind_name, 14> kind_names{{{kind::cluster, "System - Cluster", "cluster"},
                                                       {kind::network_switch, "Switch", "network_switch"},
                                                       {kind::machine, "Machine", "machine"},
                                                       {kind::group, "Group", "group"},
                                                       {kind::package, "Package", "package"},
                                                       {kind::die, "Die", "die"},
                                                       {kind::numa_node, "NUMANode", "numa_node"},
                                                       {kind::l5_cache, "L5Cache", "l5_cache"},
                                                       {kind::l4_cache, "L4Cache", "l4_cache"},
                                                       {kind::l3_cache, "L3Cache", "l3_cache"},
                                                       {kind::l2_cache, "L2Cache", "l2_cache"},
                                                       {kind::l1_cache, "L1Cache", "l1_cache"},
                                                       {kind::core, "Core", "core"},
                                                       {kind::pu, "PU", "pu"}}};

} // namespace detail

/// hwloc's name of a kind: `NUMANode`, `L3Cache`, `PU`; `Switch` and, as paper 1 (4.1.4) calls it, `System -
/// Cluster` where hwloc has none.
constexpr std::string_view to_string(kind which) {
    return detail::kind_names[static_cast<std::size_t>(which)].name;
}

/// Prints that name.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, kind which) {
    return out << to_string(which);
}

/// The kind with exactly this name, or nothing. The inverse of `to_string`.
constexpr std::optional<kind> kind_from_string(std::string_view name) {
    for (const auto& entry : detail::kind_names)
        if (entry.name == name) return entry.which;
    return std::nullopt;
}

namespace detail {

/// Whether such an object may contain several nodes.
constexpr bool joins_nodes(kind which) { return which == kind::cluster || which == kind::network_switch; }

} // namespace detail

} // namespace topo
