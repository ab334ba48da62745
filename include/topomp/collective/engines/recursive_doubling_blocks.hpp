// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `k_ary_recursive_doubling`: all_gather, all_to_all.
#pragma once

#include <topomp/algorithm/rounds/all_gather_operations.hpp>
#include <topomp/algorithm/rounds/all_to_all_rounds.hpp>
#include <topomp/algorithm/rounds/exchange_operations.hpp>
#include <topomp/algorithm/schedule/folded_orders.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/bruck.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::recursive_doubling>, const all_gather_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<all_gather_doubling>(),
              [&](all_gather_doubling& op) { op.start(call.ranks, call.result, chosen.radix); });
}

/// If the groups of a round do not divide the ranks, by `bruck`.
template <class Go>
auto start(engine<algorithm::recursive_doubling>, const all_to_all_call& call, const plan& chosen, Go go) {
    const folded_order& order = call.ranks.template attached<folded_orders>().of(chosen.radix);
    if (!all_to_all_rounds::fits(order)) return start(engine<algorithm::bruck>{}, call, chosen, go);
    return go(call.ranks.template pool<all_to_all_rounds>(),
              [&](all_to_all_rounds& op) { op.start(call.ranks, order, call.source, call.result); });
}

} // namespace topo::detail
