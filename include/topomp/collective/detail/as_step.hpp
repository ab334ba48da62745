// SPDX-License-Identifier: BSL-1.0
/// @file
/// A collective that is one of several steps.
#pragma once

#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/persistent.hpp>
#include <topomp/decide/detail/automatic.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/plan.hpp>

#include <cstddef>

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

} // namespace topo::detail
