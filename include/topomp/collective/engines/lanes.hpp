// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `lanes`: broadcast, reduce, all_reduce.
#pragma once

#include <topomp/algorithm/lanes/lane_operations.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
void start(engine<algorithm::lanes>, const broadcast_call& call, const plan& chosen, Go) {
    lane_broadcast(call.ranks, chosen.tree, call.data, call.root);
}

template <class Go>
void start(engine<algorithm::lanes>, const reduce_call& call, const plan& chosen, Go) {
    lane_reduce(call.ranks, chosen.tree, call.input, call.result, call.combiner, call.root);
}

template <class Go>
void start(engine<algorithm::lanes>, const all_reduce_call& call, const plan& chosen, Go) {
    lane_all_reduce(call.ranks, chosen.tree, call.input, call.result, call.combiner);
}

} // namespace topo::detail
