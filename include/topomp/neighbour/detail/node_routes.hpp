// SPDX-License-Identifier: BSL-1.0
/// @file
/// Between which ranks the messages of a node-aggregated neighbour exchange go.
#pragma once

#include <topomp/neighbour/detail/node_groups.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace topo::detail {

/// The links of one rank to or from one other node.
struct node_links {
    int node = 0;
    int links = 0;
};

/// What a rank of the calling rank's node says: other nodes to which it sends, and from which it receives.
struct node_wishes {
    std::vector<node_links> out, in;
};

/// The messages of one rank, in three steps: ranks of a node give blocks for another node to the carrier for
/// it; the two carriers exchange one message; the receiving carrier hands the blocks to the ranks of its
/// node.
///
/// ```
///   nodes {0 1} {2 3}, links 0-2 1-2 1-3; carriers 1 and 2      0 -> 1 -> 2 -> 3
/// ```
struct node_routes {
    std::vector<int> give_to, gather_from;  ///< ranks of the node, step 1
    std::vector<int> nodes_out, nodes_in;   ///< for which the calling rank is the carrier, step 2
    std::vector<int> hand_to, receive_from; ///< ranks of the node, step 3

    /// How much the calling rank does; of all ranks, the most.
    struct load {
        int direct = 0;   ///< messages to or from other nodes, if each link is a message
        int messages = 0; ///< sent in all steps
        int links = 0;    ///< whose blocks it carries, for other nodes and from them
        int blocks = 0;   ///< the same if each rank has one block for all
    } mine;

    /// @param wishes of the ranks of the node, in the order of `members`
    static node_routes of(const node_members& nodes, int rank, std::span<const node_wishes> wishes);
};

/// Blocks of fewer bytes go with others to their node. From here on each link has a message of its own:
/// `none` where that is never slower.
///
/// A message inside a node has a latency of one, and one between nodes of three times what it takes to start
/// a message; and 4 KiB take as long as a start. Then with the loads of the busiest rank `direct` messages of
/// b bytes take 3 + direct (1 + b / 4 KiB), and three steps 5 + messages + links (b + 24) / 4 KiB.
/// @param most_links `load::links` or `load::blocks`
std::size_t direct_from(const node_routes::load& most, int most_links);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/neighbour/impl/node_routes.ipp>
#endif
