// SPDX-License-Identifier: BSL-1.0
/// @file
/// The lanes of all verbs that go through the memory of nodes and along lanes between them.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/rounds_in_lanes.hpp>
#include <topomp/algorithm/shared.hpp>
#include <topomp/algorithm/shared/lanes_of_slices.hpp>
#include <topomp/algorithm/shared/nodes_with_rooms.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/plan/hierarchical.hpp>
#include <topomp/plan/plan_of.hpp>

namespace topo::detail {

/// Null, on all ranks: there are no several nodes, or one has no memory or a single rank.
/// @collective over the context the first time
inline lanes_of_slices* lanes_of_nodes(context& ranks) {
    using in_lanes = hierarchical<within<kind::machine, shared>, otherwise<rounds_in_lanes<16>>>;
    return nodes_of<lanes_of_slices>(ranks, plan_of<in_lanes>.loop);
}

} // namespace topo::detail
