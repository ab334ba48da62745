// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm `shared`: scan, exclusive_scan. Where the ranks of each node do not follow each other, or
/// some share no memory or cannot combine in it, along a tree.
#pragma once

#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/shared/lanes_of_slices.hpp>
#include <topomp/algorithm/shared/shared_blocks.hpp>
#include <topomp/algorithm/shared/shared_scan.hpp>
#include <topomp/collective/detail/calls.hpp>
#include <topomp/collective/detail/lanes_of_nodes.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/collective/engines/of_scan.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/level_info.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/policy.hpp>

namespace topo::detail {

template <class Go>
    requires(Go::waits)
void start(engine<algorithm::shared>, const scan_call& call, const plan&, Go go) {
    if (shared_scan::takes(type_layout{call.result.type})) {
        if (!may_cross_nodes(call.ranks.info(0))) {
            if (shared_blocks node{call.ranks}; node.works())
                return node.scan(call.input, call.result, call.op, call.kind);
        } else if (auto* const nodes = lanes_of_nodes(call.ranks);
                   nodes != nullptr && nodes->are_in_rank_order()) {
            return shared_scan{nodes->room(), nodes, call.input, call.result, call.op, call.kind}.run();
        }
    }
    start(engine<algorithm::tree>{}, call, plan_of<segmented<8192, in_order_binary>>, go);
}

} // namespace topo::detail
