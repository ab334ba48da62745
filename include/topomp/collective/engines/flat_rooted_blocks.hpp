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
#include <topomp/plan/policy.hpp>

namespace topo::detail {

class flat_blocks_operation; // complete where a non-blocking form is compiled

template <class Call>
    requires(Call::what == verb::gather || Call::what == verb::scatter)
plan plan_for_flat(const Call& call) {
    return is_countable(bytes_of(call.mine), call.ranks.private_comm()) ? plan_of<flat> : plan_of<linear>;
}

template <class Go>
auto start(engine<algorithm::flat>, const gather_call& call, const plan&, Go go) {
    if (const plan other = plan_for_flat(call); other.uses != algorithm::flat)
        return start(engine<algorithm::tree>{}, call, other, go);
    const auto& comm = call.ranks.private_comm();
    if constexpr (Go::waits)
        return flat_gather(call.ranks.running(), comm, call.mine, call.result, call.root);
    else
        return go(call.ranks.template pool<flat_blocks_operation>(),
                  [&](auto& op) { op.start_gather(comm, call.mine, call.result, call.root); });
}

template <class Go>
auto start(engine<algorithm::flat>, const scatter_call& call, const plan&, Go go) {
    if (const plan other = plan_for_flat(call); other.uses != algorithm::flat)
        return start(engine<algorithm::tree>{}, call, other, go);
    const auto& comm = call.ranks.private_comm();
    if constexpr (Go::waits)
        return flat_scatter(call.ranks.running(), comm, call.source, call.mine, call.root);
    else
        return go(call.ranks.template pool<flat_blocks_operation>(),
                  [&](auto& op) { op.start_scatter(comm, call.source, call.mine, call.root); });
}

} // namespace topo::detail
