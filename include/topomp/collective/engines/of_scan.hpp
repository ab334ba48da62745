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
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/policy.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::tree>, const scan_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<scan_operation>(), [&](scan_operation& op) {
        op.start(call.ranks, chosen.tree, call.input, call.result, call.op, call.kind);
    });
}

inline plan plan_for_flat(const scan_call& call) {
    return scans_in_order(call.op) ? plan_of<flat> : plan_of<chain>;
}

template <class Go>
auto start(engine<algorithm::flat>, const scan_call& call, const plan&, Go go) {
    if (const plan other = plan_for_flat(call); other.uses != algorithm::flat)
        return start(engine<algorithm::tree>{}, call, other, go);
    const auto& comm = call.ranks.private_comm();
    if constexpr (Go::waits)
        flat_scan(call.ranks.running(), comm, call.input, call.result, call.op, call.kind);
    else
        return go(call.ranks.template pool<flat_blocks_operation>(), [&](flat_blocks_operation& op) {
            op.start_scan(comm, call.input, call.result, call.op, call.kind);
        });
}

} // namespace topo::detail
