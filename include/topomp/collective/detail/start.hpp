// SPDX-License-Identifier: BSL-1.0
/// @file
/// From a plan to the engine that moves the data.
#pragma once

#include <topomp/algorithm/context/node_edges.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/plan.hpp>

#include <cstddef>
#include <type_traits>

namespace topo::detail {

/// An algorithm as a type. For each verb in its row of the registry there is a function `start(engine<A>,
/// const verb_call&, const plan&, Go go)` in a header of collective/engines. It calls `go` with the pool and
/// the start of an operation, or, if `Go::waits`, may complete the call itself.
template <algorithm A>
struct engine {};

/// Starts the algorithm of a plan. A program contains only the algorithms that a call can use.
/// @tparam Only the algorithm, where the compiler knows it, or `any` @param go `to_the_end` or
/// `in_background`: how an operation runs, with its
/// type `result`, and `waits`, whether it has ended then
template <algorithm Only, std::size_t Row = 0, class Call, class Go>
typename std::remove_cvref_t<Go>::result start_by_plan(const Call& call, const plan& chosen, Go&& go) {
    if constexpr (Only == algorithm::any && Row == 0) bring_node_edges();
    if constexpr (Row == number_of_algorithms) {
        refuse(Call::what);
    } else {
        constexpr algorithm here = algorithm_rows[Row].which;
        constexpr bool is_served = std::remove_cvref_t<Go>::waits ? serves(here, Call::what)
                                                                  : serves_in_background(here, Call::what);
        if constexpr (is_served && may_be(Only, here)) {
            if (chosen.uses == here) return start(engine<here>{}, call, chosen, go);
        }
        return start_by_plan<Only, Row + 1>(call, chosen, go);
    }
}

} // namespace topo::detail
