// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithms of scan and exclusive_scan that have a non-blocking form: trees, and the MPI's own.
#pragma once

#include <topomp/algorithm/native/flat_blocks_operation.hpp>
#include <topomp/algorithm/tree/scan_operation.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/scan_algorithms.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/policy_traits.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::tree>, const scan_call& call, const plan& chosen, Go go) {
    const tree_plan& tree = chosen.uses == algorithm::tree ? chosen.tree : tree_plan_of<chain>;
    return go(call.ranks.template pool<scan_operation>(), [&](scan_operation& op) {
        op.start(call.ranks, tree, call.input, call.result, call.op, call.kind);
    });
}

template <class Go>
auto start(engine<algorithm::flat>, const scan_call& call, const plan& chosen, Go go) {
    if (!scans_in_order(call.op)) return start(engine<algorithm::tree>{}, call, chosen, go);
    const auto& comm = call.ranks.private_comm();
    if constexpr (Go::waits)
        flat_scan(comm, call.input, call.result, call.op, call.kind);
    else
        return go(call.ranks.template pool<flat_blocks_operation>(), [&](flat_blocks_operation& op) {
            op.start_scan(comm, call.input, call.result, call.op, call.kind);
        });
}

} // namespace topo::detail
