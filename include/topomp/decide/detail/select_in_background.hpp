// SPDX-License-Identifier: BSL-1.0
/// @file
/// The plan of a call that does not wait.
#pragma once

#include <topomp/algorithm/context/node_edges.hpp>
#include <topomp/core/detail/checked.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/decide/detail/flat_in_background.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/detail/checked_call.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/policy.hpp>
#include <topomp/plan/policy_traits.hpp>

#include <cstddef>

namespace topo::detail {

/// The choice for a non-blocking form.
template <verb Verb, class Policy>
plan select_in_background(const hierarchy& levels, std::size_t bytes, bool is_commutative = true,
                          const call_facts& facts = {}) {
    if constexpr (!decides_at_run_time<Policy>)
        static_assert(!serves(algorithm_of<Policy>, Verb) || serves_in_background(algorithm_of<Policy>, Verb),
                      "topo: this policy cannot serve a non-blocking verb, for its steps must start in the "
                      "same order on all ranks; use a tree, flat or automatic, ring or bruck for "
                      "iall_gather, pairwise for iall_to_all, or the blocking verb");
    require_open<Verb>(facts, levels);
    plan served;
    if constexpr (decides_at_run_time<Policy>) {
        bring_node_edges();
        // Before the comparison of a checked build, which is a collective.
        const bool is_first = is_first_collective(levels);
        if constexpr (is_checked) check_call<Verb, Policy>(levels, bytes, is_commutative, facts);
        if (is_first) meet_at_first(levels);
        served = choose_at_once(Verb, levels, bytes, is_commutative);
    } else {
        served = select<Verb, Policy>(levels, bytes, is_commutative, facts);
    }
    return right_in_background(served, Verb);
}

} // namespace topo::detail
