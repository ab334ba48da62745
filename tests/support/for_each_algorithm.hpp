// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithms of the registry as policies: a new row is tested without an edit here.
#pragma once

#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/plan_text.hpp>
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

/// Numbers with which a row is tested, where its policies have such: other than those of an empty plan, and
/// bytes of which longer messages of a test are several times as many.
inline constexpr int tested_radix = 3;
inline constexpr std::size_t tested_bytes = 64;

constexpr bool has_number(const topo::detail::algorithm_row& row,
                          topo::detail::policy_number::plan_member what) {
    for (const topo::detail::policy_number& each : row.numbers)
        if (each.is == what) return true;
    return false;
}

template <std::size_t Row, topo::detail::verb... Verbs, class F>
void for_row(F f) {
    using enum topo::detail::policy_number::plan_member;
    constexpr const topo::detail::algorithm_row& row = topo::detail::algorithm_rows[Row];
    if constexpr (!row.has_types && (serves(row.which, Verbs) || ...)) {
        constexpr topo::plan empty;
        using policy =
            topo::detail::policy_of<row.which, has_number(row, radix) ? tested_radix : empty.radix,
                                    has_number(row, whole_bytes) ? tested_bytes : empty.whole_bytes>;
        f.template operator()<policy>(to_string(topo::plan_of<policy>));
    }
}

/// Calls `f.template operator()<Policy>(name)` for each algorithm that serves one of these verbs, but for
/// those whose policies have shapes or rules.
template <topo::detail::verb... Verbs, class F>
void for_each_algorithm(F f) {
    [f]<std::size_t... Rows>(std::index_sequence<Rows...>) { (for_row<Rows, Verbs...>(f), ...); }
    (std::make_index_sequence<topo::detail::number_of_algorithms>{});
}

} // namespace topo_test
