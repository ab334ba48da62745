// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `lanes`: all_gather, reduce_scatter.
#pragma once

#include <topomp/algorithm/lanes/lane_gather.hpp>
#include <topomp/algorithm/lanes/lane_reduce_scatter.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
void start(engine<algorithm::lanes>, const all_gather_call& call, const plan& chosen, Go) {
    lane_all_gather(call.ranks, chosen.tree, call.result);
}

template <class Go>
void start(engine<algorithm::lanes>, const reduce_scatter_call& call, const plan& chosen, Go) {
    lane_reduce_scatter(call.ranks, chosen.tree, call.input, call.elements, call.mine, call.combiner);
}

} // namespace topo::detail
