// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `circulant`.
#pragma once

#include <topomp/algorithm/rounds/circulant_operations.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::circulant>, const broadcast_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<circulant_broadcast>(), [&](circulant_broadcast& op) {
        op.start(call.ranks, call.data, call.root, chosen.whole_bytes);
    });
}

template <class Go>
auto start(engine<algorithm::circulant>, const reduce_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<circulant_reduce>(), [&](circulant_reduce& op) {
        op.start(call.ranks, call.input, call.result, call.combiner, call.root, chosen.whole_bytes);
    });
}

} // namespace topo::detail
