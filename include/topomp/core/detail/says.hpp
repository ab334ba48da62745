// SPDX-License-Identifier: BSL-1.0
/// @file
/// Sentences in a compiler's message about a concept that is not satisfied.
#pragma once

#include <type_traits>

namespace topo::detail {

/// A condition of a concept, with the message for the user: compilers quote the expression that was false.
consteval bool says(bool holds, const char*) { return holds; }

/// An address alone is no argument of a verb's typed forms.
template <class T>
concept counted = says(!std::is_same_v<std::remove_cvref_t<T>, void*>,
                       "topo: MPI_IN_PLACE goes with topo::message and topo::blocks; of elements, give "
                       "reductions and scans the same ones as operands and result") &&
    says(!std::is_pointer_v<std::remove_cvref_t<T>>,
         "topo: a pointer does not say how many elements there are: pass a span, "
         "std::span{pointer, count}");

} // namespace topo::detail
