// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithms `shared` and `shared_by_numa_node`: all_gather, and in one node all_gatherv. Where ranks
/// share no memory, the MPI's own.
#pragma once

#include <topomp/algorithm/shared/node_blocks.hpp>
#include <topomp/algorithm/shared/shared_blocks.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/flat_all_gather.hpp>
#include <topomp/memory/detail/window_layout.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::shared>, const all_gather_call& call, const plan& chosen, Go go) {
    if (shared_blocks node{call.ranks}; node.works()) return node.all_gather(call.result);
    if (call.result.counts.empty() &&
        node_blocks{call.levels, bytes_of(call.result.block_of(0))}.all_gather(call.result))
        return;
    return start(engine<algorithm::flat>{}, call, chosen, go);
}

template <class Go>
auto start(engine<algorithm::shared_by_numa_node>, const all_gather_call& call, const plan& chosen, Go go) {
    node_blocks parts{call.levels, bytes_of(call.result.block_of(0)), window_sharers::of_numa_node};
    if (parts.all_gather(call.result)) return;
    return start(engine<algorithm::flat>{}, call, chosen, go);
}

} // namespace topo::detail
