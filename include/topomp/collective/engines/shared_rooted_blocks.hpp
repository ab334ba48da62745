// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithms `shared` and `shared_by_numa_node`: gather, scatter. Where ranks share no memory, the MPI's
/// own.
#pragma once

#include <topomp/algorithm/shared/node_blocks.hpp>
#include <topomp/algorithm/shared/shared_blocks.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/flat_rooted_blocks.hpp>
#include <topomp/memory/detail/window_layout.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::shared>, const gather_call& call, const plan& chosen, Go go) {
    if (shared_blocks node{call.ranks}; node.works()) return node.gather(call.mine, call.result, call.root);
    if (node_blocks{call.levels, bytes_of(call.mine)}.gather(call.mine, call.result, call.root)) return;
    return start(engine<algorithm::flat>{}, call, chosen, go);
}

template <class Go>
auto start(engine<algorithm::shared>, const scatter_call& call, const plan& chosen, Go go) {
    if (shared_blocks node{call.ranks}; node.works()) return node.scatter(call.source, call.mine, call.root);
    if (node_blocks{call.levels, bytes_of(call.mine)}.scatter(call.source, call.mine, call.root)) return;
    return start(engine<algorithm::flat>{}, call, chosen, go);
}

template <class Go>
auto start(engine<algorithm::shared_by_numa_node>, const gather_call& call, const plan& chosen, Go go) {
    node_blocks parts{call.levels, bytes_of(call.mine), window_sharers::of_numa_node};
    if (parts.gather(call.mine, call.result, call.root)) return;
    return start(engine<algorithm::flat>{}, call, chosen, go);
}

template <class Go>
auto start(engine<algorithm::shared_by_numa_node>, const scatter_call& call, const plan& chosen, Go go) {
    node_blocks parts{call.levels, bytes_of(call.mine), window_sharers::of_numa_node};
    if (parts.scatter(call.source, call.mine, call.root)) return;
    return start(engine<algorithm::flat>{}, call, chosen, go);
}

} // namespace topo::detail
