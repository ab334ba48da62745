// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `flat`: gather, scatter. What MPI cannot count, on which all ranks agree, goes directly
/// between the root and each rank.
#pragma once

#include <topomp/algorithm/native/native_blocks.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/tree_blocks.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>

namespace topo::detail {

class flat_blocks_operation; // complete where a non-blocking form is compiled

template <class Go>
auto start(engine<algorithm::flat>, const gather_call& call, const plan&, Go go) {
    const auto& comm = call.ranks.private_comm();
    if (is_countable(bytes_of(call.mine), comm)) {
        if constexpr (Go::waits)
            return flat_gather(comm, call.mine, call.result, call.root);
        else
            return go(call.ranks.template pool<flat_blocks_operation>(),
                      [&](auto& op) { op.start_gather(comm, call.mine, call.result, call.root); });
    }
    return start(engine<algorithm::tree>{}, call, plan_of<linear>, go);
}

template <class Go>
auto start(engine<algorithm::flat>, const scatter_call& call, const plan&, Go go) {
    const auto& comm = call.ranks.private_comm();
    if (is_countable(bytes_of(call.mine), comm)) {
        if constexpr (Go::waits)
            return flat_scatter(comm, call.source, call.mine, call.root);
        else
            return go(call.ranks.template pool<flat_blocks_operation>(),
                      [&](auto& op) { op.start_scatter(comm, call.source, call.mine, call.root); });
    }
    return start(engine<algorithm::tree>{}, call, plan_of<linear>, go);
}

} // namespace topo::detail
