// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `bruck`.
#pragma once

#include <topomp/algorithm/rounds/all_gather_operations.hpp>
#include <topomp/algorithm/rounds/all_to_all_bruck.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::bruck>, const all_gather_call& call, const plan&, Go go) {
    return go(call.ranks.template pool<all_gather_bruck>(),
              [&](all_gather_bruck& op) { op.start(call.ranks, call.ranks.order(), call.result); });
}

template <class Go>
auto start(engine<algorithm::bruck>, const all_to_all_call& call, const plan&, Go go) {
    return go(call.ranks.template pool<all_to_all_bruck>(), [&](all_to_all_bruck& op) {
        op.start(call.ranks, call.ranks.order(), call.source, call.result);
    });
}

} // namespace topo::detail
