// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `shared`: all_to_all, all_to_allv. Where ranks share no memory, the MPI's own.
#pragma once

#include <topomp/algorithm/rounds/long_blocks.hpp>
#include <topomp/algorithm/shared/node_blocks.hpp>
#include <topomp/algorithm/shared/shared_blocks.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/flat_all_to_all.hpp>
#include <topomp/collective/engines/flat_all_to_allv.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::shared>, const all_to_all_call& call, const plan& chosen, Go go) {
    if (shared_blocks node{call.ranks}; node.works()) return node.all_to_all(call.source, call.result);
    node_blocks between{call.levels, bytes_of(call.result.block_of(0))};
    if (between.all_to_all(call.source, call.result)) return;
    return start(engine<algorithm::flat>{}, call, chosen, go);
}

template <class Go>
    requires(Go::waits)
void start(engine<algorithm::shared>, const all_to_allv_call& call, const plan& chosen, Go go) {
    shared_blocks node{call.ranks};
    if (!node.works()) return start(engine<algorithm::flat>{}, call, chosen, go);
    exchange_in_node(call.ranks, node, call.source, call.result);
}

} // namespace topo::detail
