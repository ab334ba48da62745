// SPDX-License-Identifier: BSL-1.0
/// @file
/// From a plan to the engine that moves the data.
#pragma once

#include <topomp/algorithm/context/node_edges.hpp>
#include <topomp/algorithm/progress/in_flight.hpp>
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

/// The first row from `row` on of an algorithm that a call of the verb can use, or `number_of_algorithms`.
consteval std::size_t row_from(std::size_t row, verb what, bool waits, algorithm only) {
    for (; row < number_of_algorithms; ++row) {
        const algorithm here = algorithm_rows[row].which;
        if (may_be(only, here) && (waits ? serves(here, what) : serves_in_background(here, what))) break;
    }
    return row;
}

template <algorithm Only, std::size_t Row, class Call, class Go>
typename std::remove_cvref_t<Go>::result start_by_row(const Call& call, const plan& chosen, Go&& go) {
    if constexpr (Row == number_of_algorithms) {
        refuse(Call::what);
    } else {
        constexpr algorithm here = algorithm_rows[Row].which;
        constexpr bool is_included = requires { start(engine<here>{}, call, chosen, go); };
        static_assert(is_included,
                      "topo: the headers *_by_tree.hpp have the engine of trees alone, and this policy is "
                      "no tree: include the verb's own header, such as <topomp/collective/broadcast.hpp>");
        if constexpr (is_included)
            if (chosen.uses == here) return start(engine<here>{}, call, chosen, go);
        constexpr std::size_t next = row_from(Row + 1, Call::what, std::remove_cvref_t<Go>::waits, Only);
        return start_by_row<Only, next>(call, chosen, go);
    }
}

/// Starts the algorithm of a plan. A program contains only the algorithms that a call can use.
/// @tparam Only the algorithm, where the compiler knows it, or `any` @param go `to_the_end`, `in_background`
/// or `again`: how an operation runs, with its type `result`, and `waits`, whether it has ended then
template <algorithm Only, class Call, class Go>
typename std::remove_cvref_t<Go>::result start_by_plan(const Call& call, const plan& chosen, Go&& go) {
    const in_flight::turn alone{call.ranks.running()};
    if constexpr (Only == algorithm::any) bring_node_edges();
    constexpr std::size_t first = row_from(0, Call::what, std::remove_cvref_t<Go>::waits, Only);
    return start_by_row<Only, first>(call, chosen, go);
}

} // namespace topo::detail
