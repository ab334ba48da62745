// SPDX-License-Identifier: BSL-1.0
/// @file
/// Lanes: the ranks with the same number in their nodes, and the trees along and beside them.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/hierarchy/level.hpp>

#include <boost/mpi/communicator.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace topo::detail {

/// Where a rank is.
struct seat_in_lanes {
    int node = 0;   ///< its number
    int number = 0; ///< in the node
};

/// The calling rank's edges in the tree of each lane, and where the root of the data is.
struct lane_trees {
    seat_in_lanes root;
    std::vector<tree_edges> edges;
};

/// The nodes and lanes of a context, from the view of one rank. There are as many lanes as the smallest node
/// has ranks; the others of larger nodes are in no lane.
///
/// ```
///   node 0   0  1  2       lane 0:  0 - 3 - 5
///   node 1   3  4          lane 1:  1 - 4 - 6
///   node 2   5  6  7       no lane: 2, 7
/// ```
///
/// A node is the level that is a machine; inside one machine, a rank's innermost NUMA node or package, or its
/// outermost level where there is neither. A rank that has no such level is a node by itself. If only some
/// ranks of such a level have a deeper one, they are all one node.
class lane_layout {
public:
    /// @collective over the context @cost two splits and an all-reduce; memory by the ranks of a node and the
    ///             number of nodes; where ranks are described to different depths, another split and an
    ///             all-gather of two integers
    explicit lane_layout(context& ranks);

    int lanes() const noexcept { return lanes_; }
    /// The calling rank's number in its node; the number of its lane if there is such a lane.
    int number() const { return node_comm_.rank(); }
    /// The number of the calling rank's node among all nodes, in the order of their first ranks.
    int node_number() const noexcept { return node_number_; }
    /// The whole's ranks that are in the calling rank's node, ascending.
    const std::vector<int>& node() const noexcept { return node_; }
    /// The whole's ranks that are in its lane, node by node; none if it is in no lane.
    const std::vector<int>& lane() const noexcept { return lane_; }
    /// Communicators of these, null if there is no such lane.
    const boost::mpi::communicator& node_comm() const noexcept { return node_comm_; }
    const boost::mpi::communicator& lane_comm() const noexcept { return lane_comm_; }

    /// Where a rank is. @collective over the context the first time for each rank @cost then a broadcast
    seat_in_lanes seat_of(int root);

    /// A tree for each lane: along the lane, and in each node from the lane's rank to all others. Its root is
    /// the lane's rank in the node of `root`.
    /// @collective as `seat_of`
    ///
    /// An operation that goes on after its start keeps them: those of many roots are forgotten at some time.
    const std::shared_ptr<const lane_trees>& trees_to(const tree_plan& plan, int root, operand_order order);

    /// The same from `root`, which is the root of all trees and sends each lane's rank of its node the lane's
    /// data. @collective as `seat_of`
    const std::shared_ptr<const lane_trees>& trees_from(const tree_plan& plan, int root);

private:
    static constexpr std::size_t most_roots = 64;

    /// The ranks of a level.
    struct extent {
        int first = 0, ranks = 1;
        bool is_interval = true;
    };
    /// The innermost level that is a node for the calling rank.
    extent innermost_node() const;
    /// Where ranks that share this level have a deeper one: the widest of those that are intervals and hold
    /// the calling rank, so that these ranks are one node, and nodes that are intervals remain so.
    /// @collective over the context
    extent widest_around(const extent& mine) const;

    std::vector<int> whole_ranks(const boost::mpi::communicator& comm) const;

    /// @param tree_of makes one, from the root's seat and the lane
    template <class TreeOf>
    const std::shared_ptr<const lane_trees>& trees(const tree_key& key, int root, TreeOf tree_of) {
        if (const kept_trees* const own = ranks_.own_trees(); own != nullptr && own->lanes != nullptr)
            return own->lanes;
        if (const auto known = trees_.find(key); known != trees_.end()) return known->second;
        auto made = std::make_shared<lane_trees>();
        made->root = seat_of(root); // which may forget others
        for (int lane = 0; lane < lanes_; ++lane)
            made->edges.push_back(tree_of(made->root, lane));
        return trees_.emplace(key, std::move(made)).first->second;
    }

    /// The calling rank's edges: two levels, the lane and the node. @param inside the ranks of the node
    /// that take part
    tree_edges lane_tree(const tree_plan& plan, int lane, int root_node, operand_order order,
                         const std::vector<int>& inside) const;

    context& ranks_;
    boost::mpi::communicator node_comm_ = null_communicator(), lane_comm_ = null_communicator();
    std::vector<int> node_, lane_;
    int lanes_ = 0;
    int node_number_ = 0;
    std::map<int, seat_in_lanes> seats_;
    std::map<tree_key, std::shared_ptr<const lane_trees>> trees_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/lanes/impl/lane_layout.ipp>
#endif
