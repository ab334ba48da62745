// SPDX-License-Identifier: BSL-1.0
/// @file
/// The tree of the node-aware postal broadcast, as pure functions.
#pragma once

#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/ranks_by_node.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>

#include <cstddef>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace topo::detail {

/// Each informed rank sends to a rank of its own node, then to nodes without an informed rank, as long as
/// there are any, then to the rest of its node: so several ranks of a node send to other nodes. A rank whose
/// node is complete may send to other nodes in which several ranks are uninformed, which loads the links
/// between nodes.
///
/// ```
///   three nodes of three, latency 4 sends between them and 2 inside: when each rank is informed
///   0 at 0: 1 at 2, 3 at 5, 6 at 6      1: 2 at 4      3: 4 at 7, 5 at 8      6: 7 at 8, 8 at 9
/// ```
class node_aware_tree {
public:
    /// @param nodes must live as long
    explicit node_aware_tree(const ranks_by_node& nodes) : nodes_(nodes) {}

    /// A rank's edges if data comes from a root. @cost p log p for p ranks
    tree_edges edges(int root, int rank, node_aware_rule rule) const;

    /// Calls `send(from, to, time of arrival)` in the order of sends, with times in sends.
    template <class F>
    void send_all(int root, node_aware_rule rule, F send) const {
        constexpr int least_uninformed = 2; // in another node: its own ranks inform a single one as soon
        uninformed_ranks rest{nodes_, root};
        // When each informed rank can send, in the order of arrival, and whether it has.
        using sender = std::tuple<int, int, int, bool>;
        std::priority_queue<sender, std::vector<sender>, std::greater<>> ready;
        int informed = 0; // how many ranks are
        ready.push({0, informed++, root, false});
        while (!ready.empty()) {
            const auto [time, number, from, has_sent] = ready.top();
            ready.pop();
            const int own = nodes_.node_of(from);
            int to = has_sent ? none : rest.take(own);
            if (to == none) to = rest.take(rest.uninformed_node());
            if (to == none) to = rest.take(own);
            if (to == none && rule.crosses_nodes) to = rest.take(rest.largest(least_uninformed));
            if (to == none) continue;
            const int arrives = time + (nodes_.node_of(to) == own ? rule.inside_node : rule.between_nodes);
            send(from, to, arrives);
            ready.push({time + 1, number, from, true});
            ready.push({arrives, informed++, to, false});
        }
    }

private:
    static constexpr int none = -1;

    /// The uninformed ranks.
    class uninformed_ranks {
    public:
        uninformed_ranks(const ranks_by_node& nodes, int root);

        /// An uninformed rank of a node; none if all are informed, or there is no such node.
        int take(int node);

        /// The first node without an informed rank.
        int uninformed_node();

        /// The node with most uninformed ranks, and at least so many.
        int largest(int least);

    private:
        int left(int node) const;

        const ranks_by_node& nodes_;
        std::vector<std::size_t> next_; ///< of each node's ranks in the rank order
        std::vector<int> rank_order_;
        int first_uninformed_ = 0; ///< nodes before this one are informed
        std::priority_queue<std::pair<int, int>>
            by_left_; ///< the number of uninformed ranks, and minus the node's number
    };

    const ranks_by_node& nodes_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/tree/impl/node_aware_tree.ipp>
#endif
