// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `flat`: barrier, broadcast, reduce, all_reduce.
#pragma once

#include <topomp/algorithm/native/flat_operation.hpp>
#include <topomp/algorithm/native/native.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::flat>, const barrier_call& call, const plan&, Go go) {
    const auto& comm = call.ranks.private_comm();
    if constexpr (Go::waits) {
        flat_barrier(call.ranks.running(), comm);
    } else {
        return go(call.ranks.template pool<flat_operation>(),
                  [&](flat_operation& op) { op.start_barrier(comm); });
    }
}

template <class Go>
auto start(engine<algorithm::flat>, const broadcast_call& call, const plan&, Go go) {
    const auto& comm = call.ranks.private_comm();
    if constexpr (Go::waits) {
        flat_broadcast(call.ranks.running(), comm, call.data, call.root);
    } else {
        return go(call.ranks.template pool<flat_operation>(),
                  [&](flat_operation& op) { op.start_broadcast(comm, call.data, call.root); });
    }
}

template <class Go>
auto start(engine<algorithm::flat>, const reduce_call& call, const plan&, Go go) {
    if constexpr (Go::waits)
        flat_reduce(call.ranks, call.input, call.result, call.combiner.op, call.root);
    else
        return go(call.ranks.template pool<flat_operation>(), [&](flat_operation& op) {
            op.start_reduce(call.ranks.private_comm(), call.input, call.result, call.combiner.op, call.root);
        });
}

template <class Go>
auto start(engine<algorithm::flat>, const all_reduce_call& call, const plan&, Go go) {
    const auto& comm = call.ranks.private_comm();
    if constexpr (Go::waits) {
        flat_all_reduce(call.ranks.running(), comm, call.input, call.result, call.combiner.op);
    } else {
        return go(call.ranks.template pool<flat_operation>(), [&](flat_operation& op) {
            op.start_all_reduce(comm, call.input, call.result, call.combiner.op);
        });
    }
}

} // namespace topo::detail
