// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithms of the registry as policies: a new row is tested without an edit here.
#pragma once

#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/policy.hpp>
#include <topomp/plan/policy_traits.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace topo_test {

/// Whether a policy has a non-blocking form of a verb.
template <class Policy>
constexpr bool is_served_in_background(topo::detail::verb what) {
    return serves_in_background(topo::detail::algorithm_of<Policy>, what);
}

template <std::size_t Row, topo::detail::verb... Verbs, class F>
void for_row(F f) {
    constexpr topo::detail::algorithm which = topo::detail::algorithm_rows[Row].which;
    if constexpr (!has_parameters(which) && (serves(which, Verbs) || ...))
        f.template operator()<topo::detail::policy_of<which>>(
            std::string{topo::detail::algorithm_rows[Row].name});
}

/// Calls `f.template operator()<Policy>(name)` for each algorithm without parameters that serves one of these
/// verbs.
template <topo::detail::verb... Verbs, class F>
void for_each_algorithm(F f) {
    [f]<std::size_t... Rows>(std::index_sequence<Rows...>) { (for_row<Rows, Verbs...>(f), ...); }
    (std::make_index_sequence<topo::detail::number_of_algorithms>{});
}

} // namespace topo_test
