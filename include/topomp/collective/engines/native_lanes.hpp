// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `native_lanes`.
#pragma once

#include <topomp/algorithm/lanes/lane_calls.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
void start(engine<algorithm::native_lanes>, const broadcast_call& call, const plan&, Go) {
    native_lane_broadcast(call.ranks, call.data, call.root);
}

template <class Go>
void start(engine<algorithm::native_lanes>, const reduce_call& call, const plan&, Go) {
    native_lane_reduce(call.ranks, call.input, call.result, call.combiner, call.root);
}

template <class Go>
void start(engine<algorithm::native_lanes>, const all_reduce_call& call, const plan&, Go) {
    native_lane_all_reduce(call.ranks, call.input, call.result, call.combiner);
}

} // namespace topo::detail
