// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `hierarchical`.
#pragma once

#include <topomp/algorithm/levels/hierarchical_operations.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
void start(engine<algorithm::hierarchical>, const barrier_call& call, const plan& chosen, Go) {
    hierarchical_barrier(call.ranks, chosen.loop);
}

template <class Go>
void start(engine<algorithm::hierarchical>, const broadcast_call& call, const plan& chosen, Go) {
    hierarchical_broadcast(call.ranks, chosen.loop, call.data, call.root);
}

template <class Go>
void start(engine<algorithm::hierarchical>, const reduce_call& call, const plan& chosen, Go) {
    hierarchical_reduce(call.ranks, chosen.loop, call.input, call.result, call.combiner, call.root);
}

template <class Go>
void start(engine<algorithm::hierarchical>, const all_reduce_call& call, const plan& chosen, Go) {
    hierarchical_all_reduce(call.ranks, chosen.loop, call.input, call.result, call.combiner);
}

} // namespace topo::detail
