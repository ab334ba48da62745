// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `circulant`: all_reduce.
#pragma once

#include <topomp/algorithm/rounds/circulant_all_reduce.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::circulant>, const all_reduce_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<circulant_all_reduce>(), [&](circulant_all_reduce& op) {
        op.start(call.ranks, call.input, call.result, call.combiner, chosen.radix, chosen.whole_bytes);
    });
}

} // namespace topo::detail
