// SPDX-License-Identifier: BSL-1.0
/// @file
/// A hybrid verb that does not wait: from its steps to a request, or to a persistent form.
#pragma once

#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/persistent.hpp>
#include <topomp/core/detail/function_ref.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/plan.hpp>

#include <cstddef>
#include <type_traits>

namespace topo::detail {

/// Prepares a collective that is one of several steps. Ranks start it when they come to it, so it is never
/// one of the MPI's own, which have to start in the same order everywhere: trees in their place.
struct as_step : when_started {
    template <verb Verb, class Policy>
    static plan choose(const hierarchy& levels, std::size_t bytes, bool is_commutative,
                       const call_facts& facts) {
        const plan chosen = when_started::choose<Verb, Policy>(levels, bytes, is_commutative, facts);
        if (follows_order_of_starts(chosen.uses)) return {algorithm::tree, tree_plan_of<binomial>};
        return chosen;
    }
};

/// Elements of the type of a window's, in a buffer that outlives the call.
template <class T, class Elements>
constexpr void assert_elements_of() {
    static_assert(std::is_same_v<element_value_t<Elements>, T>,
                  "topo::hybrid: elements and those of the shared_window must be of one type");
    assert_outlives<Elements>();
}

struct hybrid_steps;

/// @tparam Form `at_once` or `when_started` @param call as errors name it @param add appends the steps
/// @collective over the whole the first time for each window
template <class Form>
typename Form::result begin_steps(const hierarchy& levels, const window_view& view, const char* call,
                                  function_ref<void(hybrid_steps&)> add);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/begin_steps.ipp>
#endif
