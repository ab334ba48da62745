// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `flat`: all_gather, all_gatherv. What MPI cannot count, on which all ranks agree, goes
/// around a ring.
#pragma once

#include <topomp/algorithm/native/flat_operation.hpp>
#include <topomp/algorithm/native/native_blocks.hpp>
#include <topomp/algorithm/native/native_exchanges.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/ring_blocks.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/policy.hpp>

#include <climits>

namespace topo::detail {

inline plan plan_for_flat(const all_gather_call& call) {
    return is_countable(bytes_of(call.result.block_of(0)), call.ranks.private_comm()) ? plan_of<flat>
                                                                                      : plan_of<ring>;
}

template <class Go>
auto start(engine<algorithm::flat>, const all_gather_call& call, const plan& chosen, Go go) {
    const auto& comm = call.ranks.private_comm();
    const blocks& result = call.result;
    if constexpr (Go::waits)
        if (!result.counts.empty()) {
            if (total_bytes(result, comm.size()) > INT_MAX)
                return start(engine<algorithm::ring>{}, call, chosen, go);
            return flat_all_gatherv(call.ranks, result, {INT_MAX, INT_MAX});
        }
    if (plan_for_flat(call).uses != algorithm::flat)
        return start(engine<algorithm::ring>{}, call, chosen, go);
    if constexpr (Go::waits)
        flat_all_gather(call.ranks.running(), comm, result);
    else
        return go(call.ranks.template pool<flat_operation>(),
                  [&](flat_operation& op) { op.start_all_gather(comm, result); });
}

} // namespace topo::detail
