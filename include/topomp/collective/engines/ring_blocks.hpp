// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `ring`: all_gather, reduce_scatter.
#pragma once

#include <topomp/algorithm/rounds/all_gather_operations.hpp>
#include <topomp/algorithm/rounds/exchange_operations.hpp>
#include <topomp/algorithm/rounds/reduce_scatter_operation.hpp>
#include <topomp/algorithm/schedule/exchange_order.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::ring>, const all_gather_call& call, const plan&, Go go) {
    return go(call.ranks.template pool<all_gather_ring>(),
              [&](all_gather_ring& op) { op.start(call.ranks, call.ranks.order(), call.result); });
}

template <class Go>
auto start(engine<algorithm::ring>, const reduce_scatter_call& call, const plan&, Go go) {
    return go(call.ranks.template pool<reduce_scatter_exchange>(), [&](reduce_scatter_exchange& op) {
        op.start_ring(call.ranks, call.input, call.mine, call.combiner);
    });
}

} // namespace topo::detail
