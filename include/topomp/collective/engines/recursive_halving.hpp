// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `k_ary_recursive_halving`.
#pragma once

#include <topomp/algorithm/rounds/exchange_operations.hpp>
#include <topomp/algorithm/rounds/reduce_scatter_operation.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::recursive_halving>, const reduce_scatter_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<reduce_scatter_exchange>(), [&](reduce_scatter_exchange& op) {
        op.start_halving(call.ranks, call.input, call.mine, call.combiner, chosen.radix);
    });
}

} // namespace topo::detail
