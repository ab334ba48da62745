// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `split_trees`.
#pragma once

#include <topomp/algorithm/lanes/stripes.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/plan/plan.hpp>

namespace topo::detail {

template <class Go>
auto start(engine<algorithm::split_trees>, const broadcast_call& call, const plan& chosen, Go go) {
    return go(call.ranks.template pool<broadcast_stripes>(), [&](broadcast_stripes& op) {
        start_split_broadcast(op, call.ranks, chosen.tree, chosen.second_tree, call.data, call.root);
    });
}

} // namespace topo::detail
