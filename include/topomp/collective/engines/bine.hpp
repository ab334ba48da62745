// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `bine`.
#pragma once

#include <topomp/algorithm/rounds/exchange_operations.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::bine>, const all_reduce_call& call, const plan&, Go go) {
    return go(call.ranks.template pool<all_reduce_exchange>(), [&](all_reduce_exchange& op) {
        op.start_bine(call.ranks, call.input, call.result, call.combiner);
    });
}

} // namespace topo::detail
