// SPDX-License-Identifier: BSL-1.0
/// @file
/// A verb that does not wait: from its arguments to a request, or to a persistent form.
#pragma once

#include <topomp/collective/request.hpp>
#include <topomp/core/detail/checked.hpp>
#include <topomp/decide/detail/select_in_background.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/plan.hpp>

#include <cstddef>

namespace topo::detail {

/// Starts a call at once.
struct at_once {
    using result = request;
    using begins = at_once;

    template <verb Verb, class Policy>
    static plan choose(const hierarchy& levels, std::size_t bytes, bool is_commutative,
                       const call_facts& facts) {
        return select_in_background<Verb, Policy>(levels, bytes, is_commutative, facts);
    }

    /// In a checked build the `wait` or `test` that completes it looks whether containers still have their
    /// elements where they were, and windows are where they were.
    /// @param call as errors name it @param where a hierarchy or a neighbourhood, whose rank they name
    template <class Where, class... Buffers>
    static void watch_in([[maybe_unused]] const char* call, [[maybe_unused]] const Where& where,
                         [[maybe_unused]] request& started, [[maybe_unused]] const Buffers&... buffers) {
        if constexpr (is_checked) {
            started.buffers_.name(call, where);
            (started.buffers_.add(buffers), ...);
        }
    }
    /// The same of the result of a call.
    template <class Where, class... Buffers>
    static request watch(const char* call, const Where& where, request started, const Buffers&... buffers) {
        watch_in(call, where, started, buffers...);
        return started;
    }

    template <algorithm Only, class Arguments>
    static request go(const hierarchy& levels, const Arguments& arguments, const char* call,
                      const plan& chosen);
};

/// The forms that do not wait of an operation by which MPI cannot combine elements of a type: `reproducible`
/// has some on floating-point numbers (collective/detail/exact_calls.hpp), others have none.
template <class Op, class T>
struct own_forms;
template <class Op, class T>
concept has_own_forms = requires {
    sizeof(own_forms<Op, T>);
};

/// @tparam Only `only_algorithm` of the policy @tparam Form `at_once` or `when_started`
/// @param arguments of collective/detail/arguments.hpp, checked @param call as errors name it
template <algorithm Only, class Form, class Arguments>
typename Form::result begin(const hierarchy& levels, const Arguments& arguments, const char* call,
                            const plan& chosen);

} // namespace topo::detail
