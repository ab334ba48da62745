// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `k_ary_rabenseifner`.
#pragma once

#include <topomp/algorithm/rounds/exchange_operations.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::rabenseifner>, const reduce_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<reduce_exchange>(), [&](reduce_exchange& op) {
        op.start(call.ranks, call.input, call.result, call.combiner, call.root, chosen.radix);
    });
}

template <class Go>
auto start(engine<algorithm::rabenseifner>, const all_reduce_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<all_reduce_exchange>(), [&](all_reduce_exchange& op) {
        op.start_halving(call.ranks, call.input, call.result, call.combiner, chosen.radix,
                         chosen.whole_bytes);
    });
}

} // namespace topo::detail
