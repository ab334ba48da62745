// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `neighbour_exchange`.
#pragma once

#include <topomp/algorithm/rounds/all_gather_operations.hpp>
#include <topomp/algorithm/schedule/exchange_order.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/ring_blocks.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

/// An odd number of ranks, which makes no pairs, goes around a ring.
template <class Go>
auto start(engine<algorithm::neighbour_exchange>, const all_gather_call& call, const plan& chosen, Go go) {
    const exchange_order& order = call.ranks.order();
    if (order.size() % 2 != 0) return start(engine<algorithm::ring>{}, call, chosen, go);
    return go(call.ranks.template pool<all_gather_neighbours>(),
              [&](all_gather_neighbours& op) { op.start(call.ranks, order, call.result); });
}

} // namespace topo::detail
