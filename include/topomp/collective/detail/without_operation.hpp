// SPDX-License-Identifier: BSL-1.0
/// @file
/// Calls of verbs that combine, without an operation.
#pragma once

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <type_traits>

namespace topo::detail {

/// What is called, or an `MPI_Op`, which with some MPIs is a number. Policies are empty types, too.
template <class T>
inline constexpr bool may_be_operation =
    std::is_same_v<T, MPI_Op> || std::is_empty_v<T> || std::is_pointer_v<T> || std::is_function_v<T>;

template <class... Given>
consteval bool names_operation() {
    std::size_t index = 0;
    return ((index++ > 0 && may_be_operation<Given>) || ...);
}

/// Behind the first argument, the operands, none can be an operation. Of the calls that compile only those
/// with an operation that has state, which one of their own refuses, satisfy it.
template <class... Given>
concept without_operation = sizeof...(Given) > 0 && !names_operation<Given...>();

} // namespace topo::detail
