// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `flat`: reduce_scatter. What MPI cannot count or combine, on which all ranks agree, goes
/// along trees.
#pragma once

#include <topomp/algorithm/native/mpi_faults.hpp>
#include <topomp/algorithm/native/native_exchanges.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/tree_blocks.hpp>
#include <topomp/core/message.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/policy.hpp>

#include <climits>

namespace topo::detail {

class flat_blocks_operation; // complete where a non-blocking form is compiled

inline plan plan_for_flat(const reduce_scatter_call& call) {
    const type_layout layout{call.input.type};
    if (call.elements > INT_MAX || call.elements * layout.size > INT_MAX ||
        !reduces_and_scatters(layout, call.combiner.is_commutative))
        return plan_of<segmented<8192, in_order_binary>>;
    return plan_of<flat>;
}

template <class Go>
auto start(engine<algorithm::flat>, const reduce_scatter_call& call, const plan&, Go go) {
    if (const plan other = plan_for_flat(call); other.uses != algorithm::flat)
        return start(engine<algorithm::tree>{}, call, other, go);
    if constexpr (Go::waits)
        flat_reduce_scatter(call.ranks, call.input, call.elements, call.mine, call.combiner.op);
    else
        return go(call.ranks.template pool<flat_blocks_operation>(), [&](auto& op) {
            op.start_reduce_scatter(call.ranks.private_comm(), call.input, call.elements, call.mine,
                                    call.combiner.op);
        });
}

} // namespace topo::detail
