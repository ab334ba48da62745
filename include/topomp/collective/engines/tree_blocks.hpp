// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `tree`: gather, scatter, all_gather, reduce_scatter.
#pragma once

#include <topomp/algorithm/rounds/all_gather_operations.hpp>
#include <topomp/algorithm/rounds/reduce_scatter_operation.hpp>
#include <topomp/algorithm/tree/block_operations.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::tree>, const gather_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<gather_operation>(), [&](gather_operation& op) {
        op.start(call.ranks, chosen.tree, call.mine, call.result, call.root);
    });
}

template <class Go>
auto start(engine<algorithm::tree>, const scatter_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<scatter_operation>(), [&](scatter_operation& op) {
        op.start(call.ranks, chosen.tree, call.source, call.mine, call.root);
    });
}

template <class Go>
auto start(engine<algorithm::tree>, const all_gather_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<all_gather_tree>(), [&](all_gather_tree& op) {
        op.start(call.ranks, chosen.tree, call.result.block_of(call.ranks.rank()), call.result);
    });
}

template <class Go>
auto start(engine<algorithm::tree>, const reduce_scatter_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<reduce_scatter_tree>(), [&](reduce_scatter_tree& op) {
        op.start(call.ranks, chosen.tree, call.input, call.elements, call.mine, call.combiner);
    });
}

} // namespace topo::detail
