// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `dissemination`.
#pragma once

#include <topomp/algorithm/rounds/dissemination_operation.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::dissemination>, const barrier_call& call, const plan&, Go go) {
    return go(call.ranks.template pool<dissemination_operation>(),
              [&](dissemination_operation& op) { op.start(call.ranks); });
}

} // namespace topo::detail
