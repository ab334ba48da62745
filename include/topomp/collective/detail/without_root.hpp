// SPDX-License-Identifier: BSL-1.0
/// @file
/// Calls of rooted verbs without a root.
#pragma once

#include <topomp/core/detail/says.hpp>

#include <cstddef>
#include <type_traits>

/// What refuses such a call. @param root, usage literals: which rank that is, and the call as it should be
#define TOPOMP_NEEDS_ROOT(root, usage) TOPOMP_REFUSED("topo: the root is missing, the rank " root ": " usage)

namespace topo::detail {

template <std::size_t Before, class... Given>
consteval bool names_root() {
    std::size_t index = 0;
    return ((index++ >= Before && std::is_convertible_v<const Given&, int>) || ...);
}

/// Behind the first arguments, which may be numbers themselves, no argument is a rank. No call that compiles
/// satisfies it. @tparam Before how many stand before the root in the shortest form
template <std::size_t Before, class... Given>
concept without_root = sizeof...(Given) > 0 && !names_root<Before, Given...>();

} // namespace topo::detail
