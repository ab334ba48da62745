// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `k_ary_recursive_doubling`: barrier, broadcast, all_reduce.
#pragma once

#include <topomp/algorithm/rounds/exchange_operations.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::recursive_doubling>, const barrier_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<all_reduce_exchange>(),
              [&](all_reduce_exchange& op) { op.start_barrier(call.ranks, chosen.radix); });
}

template <class Go>
auto start(engine<algorithm::recursive_doubling>, const broadcast_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<broadcast_exchange>(),
              [&](broadcast_exchange& op) { op.start(call.ranks, call.data, call.root, chosen.radix); });
}

template <class Go>
auto start(engine<algorithm::recursive_doubling>, const all_reduce_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<all_reduce_exchange>(), [&](all_reduce_exchange& op) {
        op.start_doubling(call.ranks, call.input, call.result, call.combiner, chosen.radix);
    });
}

} // namespace topo::detail
