// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `circulant`: all_gather(v).
#pragma once

#include <topomp/algorithm/rounds/circulant_all_gather.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::circulant>, const all_gather_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<circulant_all_gather>(),
              [&](circulant_all_gather& op) { op.start(call.ranks, call.result, chosen.whole_bytes); });
}

} // namespace topo::detail
