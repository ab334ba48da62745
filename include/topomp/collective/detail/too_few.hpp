// SPDX-License-Identifier: BSL-1.0
/// @file
/// Calls of verbs that do not wait, with the arguments of a blocking form that returns its result.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/core/detail/says.hpp>
#include <topomp/core/message.hpp>
#include <topomp/plan/policy_traits.hpp>

#include <cstddef>
#include <type_traits>

/// What refuses such a call. @param what, usage literals: what is to be filled, and the call as it should be
#define TOPOMP_NEEDS_RESULT(what, usage)                                                                     \
    TOPOMP_REFUSED("topo: the " what                                                                         \
                   " is missing, for a verb that does not wait cannot return its result: " usage)
/// The same of a rooted verb.
#define TOPOMP_NEEDS_RESULT_AND_ROOT(what, usage)                                                            \
    TOPOMP_REFUSED(                                                                                          \
        "topo: the " what                                                                                    \
        " or the root is missing, and a verb that does not wait cannot return its result: " usage)

namespace topo::detail {

/// An argument that is counted: no policy, which is the last of each call and may be left out.
template <class T>
inline constexpr bool is_counted_argument = !policy<std::remove_cvref_t<T>>;

template <class T>
inline constexpr bool is_type_erased =
    std::is_same_v<std::remove_cvref_t<T>, message> || std::is_same_v<std::remove_cvref_t<T>, blocks> ||
    std::is_pointer_v<std::remove_cvref_t<T>>;

/// Whether there are fewer arguments than the shortest form with elements or values has: what is to be filled
/// is missing.
template <std::size_t Least, class First, class... Rest>
inline constexpr bool is_too_short =
    !is_type_erased<First> && (std::size_t{1} + ... + std::size_t{is_counted_argument<Rest>}) < Least;

/// The same as a constraint. No call that compiles satisfies it.
template <std::size_t Least, class... Given>
concept too_few = sizeof...(Given) > 0 && is_too_short<Least, Given...>;

} // namespace topo::detail
