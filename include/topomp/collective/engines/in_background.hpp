// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithms of non-blocking verbs whose blocking forms choose among theirs themselves: gatherv,
/// scatterv, all_gatherv, all_to_allv.
#pragma once

#include <topomp/algorithm/native/flat_blocks_operation.hpp>
#include <topomp/algorithm/tree/block_operations.hpp>
#include <topomp/collective/detail/background_calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/bruck.hpp>
#include <topomp/collective/engines/circulant_blocks.hpp>
#include <topomp/collective/engines/lane_blocks.hpp>
#include <topomp/collective/engines/pairwise.hpp>
#include <topomp/collective/engines/recursive_doubling_blocks.hpp>
#include <topomp/collective/engines/ring_blocks.hpp>
#include <topomp/collective/engines/tree_blocks.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/policy.hpp>

#include <climits>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::flat>, const gatherv_in_background& call, const plan&, Go go) {
    return go(call.ranks.template pool<flat_blocks_operation>(), [&](flat_blocks_operation& op) {
        op.start_gatherv(call.ranks.private_comm(), call.ranks.next_tag(), call.mine, call.result, call.root);
    });
}

template <class Go>
auto start(engine<algorithm::flat>, const scatterv_in_background& call, const plan&, Go go) {
    return go(call.ranks.template pool<flat_blocks_operation>(), [&](flat_blocks_operation& op) {
        op.start_scatterv(call.ranks.private_comm(), call.ranks.next_tag(), call.source, call.mine,
                          call.root);
    });
}

template <class Go>
auto start(engine<algorithm::tree>, const gatherv_in_background& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<gather_operation>(), [&](gather_operation& op) {
        op.start_expected(call.name, call.ranks, chosen.tree, call.mine, call.result, call.root);
    });
}

template <class Go>
auto start(engine<algorithm::tree>, const scatterv_in_background& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<scatter_operation>(), [&](scatter_operation& op) {
        op.start_expected(call.name, call.ranks, chosen.tree, call.source, call.mine, call.root);
    });
}

/// What MPI's calls cannot count, on which all ranks agree, goes around a ring.
inline plan plan_for_flat(const all_gatherv_in_background& call) {
    return call.bytes > INT_MAX ? plan_of<ring> : plan_of<flat>;
}

template <class Go>
auto start(engine<algorithm::flat>, const all_gatherv_in_background& call, const plan& chosen, Go go) {
    if (plan_for_flat(call).uses != algorithm::flat)
        return start(engine<algorithm::ring>{}, call, chosen, go);
    return go(call.ranks.template pool<flat_blocks_operation>(), [&](flat_blocks_operation& op) {
        op.start_all_gatherv(call.ranks.private_comm(), call.result);
    });
}

/// As all_gather, whose operations take blocks of any lengths.
template <algorithm A, class Go>
auto start(engine<A> which, const all_gatherv_in_background& call, const plan& chosen, Go go) {
    return start(which, all_gather_call{call.levels, call.ranks, call.result}, chosen, go);
}

/// The blocking one is in flat_all_to_allv.hpp.
template <class Go>
    requires(!Go::waits)
auto start(engine<algorithm::flat>, const all_to_allv_call& call, const plan&, Go go) {
    return go(call.ranks.template pool<flat_blocks_operation>(), [&](flat_blocks_operation& op) {
        op.start_all_to_allv(call.ranks.private_comm(), call.ranks.next_tag(), call.source, call.result);
    });
}

} // namespace topo::detail
