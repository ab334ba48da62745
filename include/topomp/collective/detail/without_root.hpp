// SPDX-License-Identifier: BSL-1.0
/// @file
/// Calls of rooted verbs without a root.
#pragma once

#include <cstddef>
#include <type_traits>

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
