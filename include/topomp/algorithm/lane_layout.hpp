// SPDX-License-Identifier: BSL-1.0
/// @file
/// Lanes: the ranks with the same number in their nodes, and the trees along and beside them.
#pragma once

#include <topomp/algorithm/edges.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/algorithm/tree_plan.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace topo::detail {

/// The nodes and lanes of a team, as one rank sees them. There are as many lanes as the smallest node has
/// ranks; the others of larger nodes are in no lane.
///
/// ```
///   node 0   0  1  2       lane 0:  0 - 3 - 5
///   node 1   3  4          lane 1:  1 - 4 - 6
///   node 2   5  6  7       no lane: 2, 7
/// ```
///
/// A node is the level that is a machine; inside one machine, a rank's innermost NUMA node or package, or its
/// outermost level where there is neither. A rank that has no such level is a node by itself.
class lane_layout {
public:
    /// @collective over the team @cost two splits and an all-reduce; memory by the ranks of a node and the
    ///             number of nodes
    explicit lane_layout(team& ranks) : ranks_(ranks) {
        const auto& wire = ranks.wire();
        const int first = first_of_node();
        node_comm_ = own(mpi::comm_split(wire, first, ranks.rank(), "ranks of a node"));
        node_ = everybody(node_comm_);
        const int size = node_comm_.size();
        mpi::allreduce(&size, &lanes_, 1, MPI_INT, MPI_MIN, wire, "number of lanes");
        const int number = node_comm_.rank();
        lane_comm_ =
            own(mpi::comm_split(wire, number < lanes_ ? number : MPI_UNDEFINED, first, "ranks of a lane"));
        if (lane_comm_) {
            lane_ = everybody(lane_comm_);
            node_number_ = lane_comm_.rank();
        }
        mpi::bcast(&node_number_, 1, MPI_INT, 0, node_comm_, "number of a node");
    }

    int lanes() const noexcept { return lanes_; }
    /// The calling rank's number in its node; the number of its lane if there is such a lane.
    int number() const { return node_comm_.rank(); }
    /// The number of the calling rank's node among all nodes, which count in the order of their first ranks.
    int node_number() const noexcept { return node_number_; }
    /// The whole's ranks that are in the calling rank's node, ascending.
    const std::vector<int>& node() const noexcept { return node_; }
    /// The whole's ranks that are in its lane, node by node; none if it is in no lane.
    const std::vector<int>& lane() const noexcept { return lane_; }
    /// Communicators of these, null for a lane that there is not.
    const boost::mpi::communicator& node_comm() const noexcept { return node_comm_; }
    const boost::mpi::communicator& lane_comm() const noexcept { return lane_comm_; }

    struct seat_of_root {
        int node = 0;   ///< its number
        int number = 0; ///< in the node
    };
    /// Where a rank is. @collective over the team the first time for each rank @cost then a broadcast
    seat_of_root seat_of(int root) {
        if (const auto known = seats_.find(root); known != seats_.end()) return known->second;
        if (seats_.size() == most_roots) { // every rank sees the same roots in the same order
            seats_.clear();
            trees_.clear();
        }
        std::array<int, 2> seat{node_number_, number()};
        mpi::bcast(seat.data(), 2, MPI_INT, root, ranks_.wire(), "place of a root");
        return seats_.emplace(root, seat_of_root{seat[0], seat[1]}).first->second;
    }

    /// A tree for each lane: along the lane, and in each node from the lane's rank to all others. Its root is
    /// the lane's rank in the node of `root`.
    /// @collective as `seat_of`
    const std::vector<tree_edges>& trees_to(const tree_plan& plan, int root, operand_order order) {
        const int node = seat_of(root).node;
        return trees(plan, root, order, [&](int lane) { return lane_tree(plan, lane, node, order, node_); });
    }

    /// The same from `root`, which is the root of all trees and hands each lane's rank of its node what goes
    /// along the lane. @collective as `seat_of`
    const std::vector<tree_edges>& trees_from(const tree_plan& plan, int root) {
        const auto from = seat_of(root);
        return trees(plan, ~root, operand_order::any, [&](int lane) {
            const auto any = operand_order::any;
            if (from.node != node_number_ || from.number == lane)
                return lane_tree(plan, lane, from.node, any, node_);
            const int first = node_[static_cast<std::size_t>(lane)];
            if (ranks_.rank() == root) return tree_edges{-1, {first}, {}};
            std::vector<int> others = node_;
            std::erase(others, root);
            tree_edges edges = lane_tree(plan, lane, from.node, any, others);
            if (ranks_.rank() == first) edges.parent = root;
            return edges;
        });
    }

private:
    static constexpr std::size_t most_roots = 64;
    using trees_key = std::tuple<const void*, int, operand_order>;

    /// The lowest rank of the calling rank's node.
    int first_of_node() const {
        const bool is_one_machine = ranks_.info(0).is(kind::machine);
        int found = is_one_machine && ranks_.depth() > 0 ? 1 : -1;
        for (int depth = 0; depth <= ranks_.depth(); ++depth) {
            const level_info& here = ranks_.info(depth);
            if (is_one_machine ? here.is(kind::package) || here.is(kind::numa_node) : here.is(kind::machine))
                found = std::max(found, depth);
        }
        if (found < 0) return ranks_.rank();
        return translate(std::array{0}, ranks_.level(found), ranks_.wire()).front();
    }

    std::vector<int> everybody(const boost::mpi::communicator& comm) const {
        std::vector<int> result(static_cast<std::size_t>(comm.size()));
        const int mine = ranks_.rank();
        mpi::check(MPI_Allgather(&mine, 1, MPI_INT, result.data(), 1, MPI_INT, comm), "MPI_Allgather",
                   "ranks of a lane");
        return result;
    }

    template <class Tree>
    const std::vector<tree_edges>& trees(const tree_plan& plan, int root, operand_order order, Tree tree) {
        const trees_key key{plan.rules.data(), root, order};
        if (const auto known = trees_.find(key); known != trees_.end()) return known->second;
        std::vector<tree_edges> made;
        for (int lane = 0; lane < lanes_; ++lane)
            made.push_back(tree(lane));
        return trees_.emplace(key, std::move(made)).first->second;
    }

    /// The calling rank's edges: two levels, the lane and the node. @param inside the ranks of the node
    /// that take part
    tree_edges lane_tree(const tree_plan& plan, int lane, int root_node, operand_order order,
                         const std::vector<int>& inside) const {
        std::vector<step_view> steps;
        std::vector<any_shape> shapes;
        if (number() == lane) {
            steps.push_back({lane_, node_number_, root_node, lane_[static_cast<std::size_t>(root_node)]});
            shapes.push_back(plan.along());
        }
        const auto position = [&](int rank) {
            return static_cast<int>(std::ranges::lower_bound(inside, rank) - inside.begin());
        };
        const int first = node_[static_cast<std::size_t>(lane)];
        steps.push_back({inside, position(ranks_.rank()), position(first), first});
        shapes.push_back(plan.inside());
        return compose(steps, shapes, order);
    }

    team& ranks_;
    boost::mpi::communicator node_comm_ = null_communicator(), lane_comm_ = null_communicator();
    std::vector<int> node_, lane_;
    int lanes_ = 0;
    int node_number_ = 0;
    std::map<int, seat_of_root> seats_;
    std::map<trees_key, std::vector<tree_edges>> trees_;
};

} // namespace topo::detail
