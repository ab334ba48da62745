// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `tree`: barrier, broadcast, reduce, all_reduce.
#pragma once

#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::tree>, const barrier_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<all_reduce_operation>(),
              [&](all_reduce_operation& op) { op.start_barrier(call.ranks, chosen.tree); });
}

template <class Go>
auto start(engine<algorithm::tree>, const broadcast_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<broadcast_operation>(), [&](broadcast_operation& op) {
        if constexpr (Go::waits)
            op.start(call.ranks, chosen.tree, call.data, call.root);
        else
            op.start_at_once(call.ranks, chosen.tree, call.data, call.root);
    });
}

template <class Go>
auto start(engine<algorithm::tree>, const reduce_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<reduce_operation>(), [&](reduce_operation& op) {
        if constexpr (Go::waits)
            op.start(call.ranks, chosen.tree, call.input, call.result, call.combiner, call.root);
        else
            op.start_at_once(call.ranks, chosen.tree, call.input, call.result, call.combiner, call.root);
    });
}

template <class Go>
auto start(engine<algorithm::tree>, const all_reduce_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<all_reduce_operation>(), [&](all_reduce_operation& op) {
        op.start(call.ranks, chosen.tree, call.input, call.result, call.combiner);
    });
}

} // namespace topo::detail
