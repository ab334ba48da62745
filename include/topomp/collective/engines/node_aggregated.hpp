// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `node_aggregated`: all_gather(v), all_to_all(v).
#pragma once

#include <topomp/algorithm/rounds/long_blocks.hpp>
#include <topomp/algorithm/rounds/routed_blocks.hpp>
#include <topomp/algorithm/schedule/block_routes.hpp>
#include <topomp/algorithm/shared/aggregated_blocks.hpp>
#include <topomp/algorithm/shared/aggregated_exchange.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/k_ary_bruck.hpp>
#include <topomp/collective/engines/lane_blocks.hpp>
#include <topomp/collective/engines/pairwise.hpp>
#include <topomp/collective/engines/recursive_doubling_blocks.hpp>
#include <topomp/core/message.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/policy.hpp>

#include <cstddef>

namespace topo::detail {

/// Without shared memory along a route by messages.
template <class Go>
    requires(Go::waits)
void start(engine<algorithm::node_aggregated>, const all_to_allv_call& call, const plan& chosen, Go go) {
    aggregated_blocks node{call.levels};
    const std::size_t from = node.shorter_than(chosen.whole_bytes);
    if (from == 0)
        return start_routed(call, call.ranks.template attached<block_routes>().by_node(chosen.radix), chosen,
                            go);
    long_blocks others{call.ranks, from, call.source, call.result};
    node.all_to_allv(call.source, call.result, from);
    others.finish();
}

/// Without shared memory in rounds; blocks as long as the plan says from rank to rank.
template <class Go>
    requires(Go::waits)
void start(engine<algorithm::node_aggregated>, const all_to_all_call& call, const plan& chosen, Go go) {
    const std::size_t bytes = bytes_of(call.result.block_of(0));
    const bool is_short = bytes < chosen.whole_bytes;
    if (aggregated_exchange node{call.levels, bytes}; node.works())
        return is_short ? node.by_carriers(call.source, call.result)
                        : node.by_partners(call.source, call.result);
    if (is_short) return start(engine<algorithm::recursive_doubling>{}, call, chosen, go);
    return start(engine<algorithm::pairwise>{}, call, chosen, go);
}

/// Without shared memory along lanes.
template <class Go>
    requires(Go::waits)
void start(engine<algorithm::node_aggregated>, const all_gather_call& call, const plan&, Go go) {
    if (aggregated_blocks node{call.levels}; node.all_gatherv(call.result)) return;
    return start(engine<algorithm::lanes>{}, call, plan_of<lanes<linear, linear>>, go);
}

} // namespace topo::detail
