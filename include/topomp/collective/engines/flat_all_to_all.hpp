// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `flat`: all_to_all. Blocks that MPI cannot count, on which all ranks agree, travel one by
/// one.
#pragma once

#include <topomp/algorithm/native/flat_operation.hpp>
#include <topomp/algorithm/native/native_blocks.hpp>
#include <topomp/algorithm/native/native_exchanges.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/pairwise.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/policy.hpp>

namespace topo::detail {

inline plan plan_for_flat(const all_to_all_call& call) {
    return is_countable(bytes_of(call.result.block_of(0)), call.ranks.private_comm()) ? plan_of<flat>
                                                                                      : plan_of<pairwise>;
}

template <class Go>
auto start(engine<algorithm::flat>, const all_to_all_call& call, const plan& chosen, Go go) {
    const auto& comm = call.ranks.private_comm();
    const blocks& result = call.result;
    if (plan_for_flat(call).uses != algorithm::flat)
        return start(engine<algorithm::pairwise>{}, call, chosen, go);
    if constexpr (Go::waits)
        flat_all_to_all(call.ranks.running(), comm, call.source, result);
    else
        return go(call.ranks.template pool<flat_operation>(),
                  [&](flat_operation& op) { op.start_all_to_all(comm, call.source, result); });
}

} // namespace topo::detail
