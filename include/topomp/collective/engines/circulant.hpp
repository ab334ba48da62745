// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `circulant`.
#pragma once

#include <topomp/algorithm/rounds/circulant_operations.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

#include <cstddef>

namespace topo::detail {

/// A non-blocking form that looks finds several pieces.
template <class Go>
inline constexpr std::size_t circulant_rounds_under_way = Go::waits ? 1 : 8;

template <class Go>
auto start(engine<algorithm::circulant>, const broadcast_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<circulant_broadcast>(), [&](circulant_broadcast& op) {
        op.start(call.ranks, call.data, call.root, chosen.whole_bytes, circulant_rounds_under_way<Go>);
    });
}

template <class Go>
auto start(engine<algorithm::circulant>, const reduce_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<circulant_reduce>(), [&](circulant_reduce& op) {
        op.start(call.ranks, call.input, call.result, call.combiner, call.root, chosen.whole_bytes,
                 circulant_rounds_under_way<Go>);
    });
}

} // namespace topo::detail
