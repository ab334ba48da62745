// SPDX-License-Identifier: BSL-1.0
/// @file
/// Sentences in a compiler's message about a concept that is not satisfied.
#pragma once

#include <type_traits>

/// Behind the declaration of a function template instead of a body: a call does not compile, and the compiler
/// prints the sentence, a literal. In a requires-expression the call is invalid, which it would
/// not be by a static_assert in a body. GCC prints the constraints of a deleted function; Clang does not,
/// and goes on to complain about the arguments. For constructors Clang supports the second of its attributes.
#ifdef __clang__
#define TOPOMP_REFUSED(sentence)                                                                             \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wgcc-compat\"")                    \
        __attribute__((diagnose_if(true, sentence, "error"), unavailable(sentence)))                         \
        _Pragma("clang diagnostic pop")
#else
#define TOPOMP_REFUSED(sentence) requires(::topo::detail::says(true, sentence)) = delete
#endif

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
