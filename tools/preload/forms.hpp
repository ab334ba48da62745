// SPDX-License-Identifier: BSL-1.0
/// @file
/// The forms of a collective that programs call, defined from the MPI's own declarations: macros, for no
/// function can define others by their names.
#pragma once

#include "intercepted.hpp"
#include "passed_on.hpp"

#include <boost/preprocessor/arithmetic/add.hpp>
#include <boost/preprocessor/cat.hpp>
#include <boost/preprocessor/repetition/enum.hpp>
#include <boost/preprocessor/repetition/enum_params.hpp>

#include <cstddef>
#include <tuple>

namespace topo::preload {

/// The type of a function's parameter.
template <std::size_t I, class Function>
struct parameter;

template <std::size_t I, class... Arguments>
struct parameter<I, int(Arguments...)> {
    using type = std::tuple_element_t<I, std::tuple<Arguments...>>;
};

} // namespace topo::preload

#define TOPOMP_PARAMETER(z, i, function) topo::preload::parameter<i, decltype(function)>::type a##i

// NOLINTBEGIN(bugprone-macro-parentheses): bodies and types have none

/// intercepted_MPI_X with the parameters of MPI_X, and a body.
#define TOPOMP_INTERCEPT(function, arguments, body)                                                          \
    decltype(function) BOOST_PP_CAT(intercepted_, function);                                                 \
    int BOOST_PP_CAT(intercepted_, function)(BOOST_PP_ENUM(arguments, TOPOMP_PARAMETER, function)) { body }

/// A blocking form. @param serve a function with these arguments, and the MPI's own call
#define TOPOMP_SERVE_BLOCKING(function, serve, arguments)                                                    \
    TOPOMP_INTERCEPT(function, arguments, return serve(BOOST_PP_ENUM_PARAMS(arguments, a), [&] {             \
                         return function(BOOST_PP_ENUM_PARAMS(arguments, a));                                \
                     });)

/// A non-blocking form. @param call a type as started.hpp says @param arguments up to the communicator
#define TOPOMP_SERVE_STARTED(function, call, arguments)                                                      \
    TOPOMP_INTERCEPT(                                                                                        \
        function, BOOST_PP_ADD(arguments, 1),                                                                \
        return serve_started(call{BOOST_PP_ENUM_PARAMS(arguments, a)}, BOOST_PP_CAT(a, arguments), [&] {     \
            return function(BOOST_PP_ENUM_PARAMS(BOOST_PP_ADD(arguments, 1), a));                            \
        });)

/// A persistent form. @param line of the report
#define TOPOMP_SERVE_PERSISTENT(line, function, call, arguments)                                             \
    TOPOMP_INTERCEPT(function, BOOST_PP_ADD(arguments, 2),                                                   \
                     return serve_persistent(                                                                \
                         passed_call::line, call{BOOST_PP_ENUM_PARAMS(arguments, a)},                        \
                         BOOST_PP_CAT(a, BOOST_PP_ADD(arguments, 1)),                                        \
                         [&] { return function(BOOST_PP_ENUM_PARAMS(BOOST_PP_ADD(arguments, 2), a)); });)

// NOLINTEND(bugprone-macro-parentheses)

#if TOPOMP_HAS_LARGE_COUNTS
#define TOPOMP_IF_LARGE(what) what
#else
#define TOPOMP_IF_LARGE(what)
#endif
#if TOPOMP_HAS_PERSISTENT
#define TOPOMP_IF_PERSISTENT(what) what
#else
#define TOPOMP_IF_PERSISTENT(what)
#endif

/// The blocking form of a verb, and that with large counts.
#define TOPOMP_BLOCKING_FORMS(name, serve, arguments)                                                        \
    TOPOMP_SERVE_BLOCKING(MPI_##name, serve, arguments)                                                      \
    TOPOMP_IF_LARGE(TOPOMP_SERVE_BLOCKING(MPI_##name##_c, serve, arguments))

/// The forms of a verb that do not wait. @param started the name of the non-blocking one
#define TOPOMP_STARTED_FORMS(name, started, call, arguments)                                                 \
    TOPOMP_SERVE_STARTED(MPI_##started, call, arguments)                                                     \
    TOPOMP_IF_PERSISTENT(TOPOMP_SERVE_PERSISTENT(name##_init, TOPOMP_PERSISTENT(name), call, arguments))     \
    TOPOMP_IF_LARGE(TOPOMP_SERVE_STARTED(MPI_##started##_c, call, arguments))                                \
    TOPOMP_IF_LARGE(TOPOMP_SERVE_PERSISTENT(name##_init, MPI_##name##_init_c, call, arguments))
