// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `pairwise`.
#pragma once

#include <topomp/algorithm/rounds/all_to_all_operations.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::pairwise>, const all_to_all_call& call, const plan&, Go go) {
    return go(call.ranks.template pool<all_to_all_pairwise>(), [&](all_to_all_pairwise& op) {
        op.start(call.ranks, call.ranks.order(), call.source, call.result);
    });
}

template <class Go>
auto start(engine<algorithm::pairwise>, const all_to_allv_call& call, const plan&, Go go) {
    return go(call.ranks.template pool<all_to_all_pairwise>(), [&](all_to_all_pairwise& op) {
        op.start(call.ranks, call.ranks.order(), call.source, call.result);
    });
}

} // namespace topo::detail
