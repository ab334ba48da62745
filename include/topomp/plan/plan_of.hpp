// SPDX-License-Identifier: BSL-1.0
/// @file
/// From a policy, which is a type, to the plan that it stands for.
#pragma once

#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/hierarchical.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/policy.hpp>
#include <topomp/plan/policy_traits.hpp>

#include <type_traits>

namespace topo {

namespace detail {

/// The plan of a policy for one verb, which the algorithms inside levels must all have.
template <class Policy, verb Verb>
constexpr plan plan_for_verb() {
    constexpr algorithm uses = algorithm_of<Policy>;
    if constexpr (uses == algorithm::tree || uses == algorithm::lanes)
        return {uses, tree_plan_of<Policy>};
    else if constexpr (uses == algorithm::split_trees)
        return {uses, tree_plan_of<Policy>, {}, other_half_of<Policy>};
    else if constexpr (uses == algorithm::hierarchical)
        return {uses, {}, loop_plan_of<Verb, Policy>};
    else
        return {uses, {}, {}, {}, numbers_of<Policy>.radix, numbers_of<Policy>.whole_bytes};
}

} // namespace detail

/// The plan that a policy stands for, as a constant expression. @tparam Policy any but `automatic`, which
/// decides anew for each call
template <policy Policy>
    requires(!std::is_same_v<Policy, automatic>)
inline constexpr plan plan_of = detail::plan_for_verb<Policy, detail::verb::scan>();

} // namespace topo
