// SPDX-License-Identifier: BSL-1.0
/// @file
/// `topomp show --tree`: along which tree a collective moves its data.
#pragma once

#include <topomp/hierarchy/outline.hpp>

#include <ostream>
#include <string>
#include <vector>

namespace topo::tool {

/// A message of a broadcast without segments, in which every message takes one step and a rank sends one at a
/// time.
struct tree_message {
    int from = 0, to = 0;
    int depth = 0; ///< of the communicator in which it is sent; -1: the whole
    int step = 0;  ///< in which it arrives, from 1
};

/// A spanning tree of all ranks.
struct spanning_tree {
    int root = 0;
    std::vector<tree_message> messages; ///< each rank's in the order in which it sends them

    /// @param policy one of trees, as `read_plan` reads it: `binomial`, `two_levels<chain, linear>`
    /// @throws argument_error if it is none, or the root is no rank
    static spanning_tree of(const outline& all, const std::string& policy, int root);
};

void render_tree_text(std::ostream& out, const outline& all, const spanning_tree& tree);
void render_tree_svg(std::ostream& out, const outline& all, const spanning_tree& tree);

} // namespace topo::tool
