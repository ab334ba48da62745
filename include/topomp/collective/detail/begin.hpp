// SPDX-License-Identifier: BSL-1.0
/// @file
/// A verb that does not wait: from its arguments to a request, or to a persistent form.
#pragma once

#include <topomp/collective/request.hpp>
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

    /// What `when_started` does in checked builds.
    template <class... Buffers>
    static request watch(request started, Buffers&...) {
        return started;
    }

    template <algorithm Only, class Arguments>
    static request go(const hierarchy& levels, const Arguments& arguments, const char* call,
                      const plan& chosen);
};

/// @tparam Only `only_algorithm` of the policy @tparam Form `at_once` or `when_started`
/// @param arguments of collective/detail/arguments.hpp, checked @param call as errors name it
template <algorithm Only, class Form, class Arguments>
typename Form::result begin(const hierarchy& levels, const Arguments& arguments, const char* call,
                            const plan& chosen);

} // namespace topo::detail
