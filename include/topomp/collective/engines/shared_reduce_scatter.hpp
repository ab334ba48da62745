// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `shared`: reduce_scatter. Where ranks share no memory, or cannot combine in it, the MPI's
/// own.
#pragma once

#include <topomp/algorithm/shared/shared_blocks.hpp>
#include <topomp/algorithm/shared/shared_reduce_scatter.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/flat_reduce_scatter.hpp>
#include <topomp/core/message.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::shared>, const reduce_scatter_call& call, const plan& chosen, Go go) {
    const int ranks = call.ranks.private_comm().size();
    if (shared_blocks node{call.ranks};
        node.works() && shared_reduce_scatter::takes(type_layout{call.input.type}, ranks))
        return node.reduce_scatter(call.input, call.mine, call.combiner.op);
    return start(engine<algorithm::flat>{}, call, chosen, go);
}

} // namespace topo::detail
