// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `flat`: all_to_allv.
#pragma once

#include <topomp/algorithm/native/native_blocks.hpp>
#include <topomp/algorithm/native/native_exchanges.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
    requires(Go::waits)
void start(engine<algorithm::flat>, const all_to_allv_call& call, const plan&, Go) {
    flat_all_to_allv(call.ranks, call.source, call.result, flat_limits{call.ranks.private_comm()});
}

} // namespace topo::detail
