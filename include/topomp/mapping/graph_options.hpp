// SPDX-License-Identifier: BSL-1.0
/// @file
/// The options of a communicator for a graph.
#pragma once

#include <topomp/mapping/graph_request.hpp>
#include <topomp/mapping/mapping_problem.hpp>
#include <topomp/mapping/reordering.hpp>

#include <cstdint>
#include <vector>

namespace topo {

/// The options of a `graph`, besides its edges.
struct graph_options {
    // Each rank's own.
    std::vector<std::int64_t> weights{};      ///< the load to each of the caller's neighbours; empty: 1 each
    reordering reorder = reordering::allowed; ///< `off`: the caller keeps its vertex
    // The same on all ranks.
    mapping_goal first = mapping_goal::total;               ///< which cost decides first
    graph_algorithm algorithm = graph_algorithm::automatic; ///< which algorithm maps
    mapping_effort effort = mapping_effort::usual;          ///< how long it may take
};

} // namespace topo
