// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `k_ary_bruck`.
#pragma once

#include <topomp/algorithm/rounds/long_blocks.hpp>
#include <topomp/algorithm/rounds/routed_blocks.hpp>
#include <topomp/algorithm/schedule/block_routes.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace topo::detail {

/// Blocks shorter than the plan says along a route, then the others from rank to rank.
template <class Go>
    requires(Go::waits)
void start_routed(const all_to_allv_call& call, const block_route& route, const plan& chosen, Go go) {
    // A routed block says its length in 32 bits.
    constexpr std::size_t longest = std::numeric_limits<std::uint32_t>::max();
    const std::size_t from = std::min(chosen.whole_bytes, longest);
    long_blocks others{call.ranks, from, call.source, call.result};
    go(call.ranks.template pool<routed_blocks>(),
       [&](routed_blocks& op) { op.start(call.ranks, route, from, call.source, call.result); });
    others.finish();
}

template <class Go>
    requires(Go::waits)
void start(engine<algorithm::k_ary_bruck>, const all_to_allv_call& call, const plan& chosen, Go go) {
    start_routed(call, call.ranks.template attached<block_routes>().bruck(chosen.radix), chosen, go);
}

} // namespace topo::detail
