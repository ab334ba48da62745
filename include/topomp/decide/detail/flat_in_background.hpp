// SPDX-License-Identifier: BSL-1.0
/// @file
/// The MPI's own forms that do not wait.
#pragma once

#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/policy_traits.hpp>

#include <boost/mpi/config.hpp>

namespace topo::detail {

/// Whether the MPI's own non-blocking form is right. SimGrid's (3.32) leaves a barrier before all ranks have
/// called, and combines operands in the order of their arrival, of derived types where there is no memory.
constexpr bool flat_is_right_in_background([[maybe_unused]] verb what) {
#ifdef SMPI_H
    return what != verb::barrier && !combines(what);
#else
    return true;
#endif
}

/// The plan, or a tree in the place of an MPI's own form that is wrong.
constexpr plan right_in_background(const plan& chosen, verb what) {
    if (chosen.uses == algorithm::flat && !flat_is_right_in_background(what))
        return {algorithm::tree, tree_plan_of<binomial>};
    return chosen;
}

} // namespace topo::detail
