// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/lanes/lane_layout.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE lane_layout::lane_layout(context& ranks) : ranks_(ranks) {
    const auto& private_comm = ranks.private_comm();
    extent node = innermost_node();
    const auto split_nodes = [&] {
        node_comm_ = own(mpi::comm_split(private_comm, node.first, ranks.rank(), "ranks of a node"));
        const int size = node_comm_.size();
        std::array<int, 2> least{}, mine{size, size == node.ranks ? 1 : 0};
        mpi::allreduce(mine.data(), least.data(), 2, MPI_INT, MPI_MIN, private_comm, "number of lanes");
        lanes_ = least[0];
        return least[1] == 1;
    };
    if (!split_nodes()) {
        node = widest_around(node);
        split_nodes();
    }
    node_ = whole_ranks(node_comm_);
    const int first = node.first, number = node_comm_.rank();
    lane_comm_ = own(
        mpi::comm_split(private_comm, number < lanes_ ? number : MPI_UNDEFINED, first, "ranks of a lane"));
    if (lane_comm_) {
        lane_ = whole_ranks(lane_comm_);
        node_number_ = lane_comm_.rank();
    }
    mpi::bcast(&node_number_, 1, MPI_INT, 0, node_comm_, "number of a node");
}

TOPOMP_INLINE seat_in_lanes lane_layout::seat_of(int root) {
    if (const auto known = seats_.find(root); known != seats_.end()) return known->second;
    if (seats_.size() == most_roots) { // every rank adds the same roots in the same order
        seats_.clear();
        trees_.clear();
    }
    std::array<int, 2> seat{node_number_, number()};
    mpi::bcast(seat.data(), 2, MPI_INT, root, ranks_.private_comm(), "place of a root");
    return seats_.emplace(root, seat_in_lanes{seat[0], seat[1]}).first->second;
}

TOPOMP_INLINE const std::shared_ptr<const lane_trees>& lane_layout::trees_to(const tree_plan& plan, int root,
                                                                             operand_order order) {
    return trees({plan.identity(), root, order}, root, [&](const seat_in_lanes& to, int lane) {
        return lane_tree(plan, lane, to.node, order, node_);
    });
}

TOPOMP_INLINE const std::shared_ptr<const lane_trees>& lane_layout::trees_from(const tree_plan& plan,
                                                                               int root) {
    const auto any = operand_order::any;
    return trees({plan.identity(), ~root, any}, root, [&](const seat_in_lanes& from, int lane) {
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

TOPOMP_INLINE lane_layout::extent lane_layout::innermost_node() const {
    const bool is_one_machine = ranks_.info(0).is(kind::machine);
    int found = is_one_machine && ranks_.depth() > 0 ? 1 : -1;
    for (int depth = 0; depth <= ranks_.depth(); ++depth) {
        const level_info& here = ranks_.info(depth);
        if (is_one_machine ? here.is(kind::package) || here.is(kind::numa_node) : here.is(kind::machine))
            found = std::max(found, depth);
    }
    if (found < 0) return {ranks_.rank(), 1, true};
    const auto& node = ranks_.level(found);
    const auto ends = translate(std::array{0, node.size() - 1}, node, ranks_.private_comm());
    return {ends[0], node.size(), ends[1] - ends[0] == node.size() - 1};
}

TOPOMP_INLINE lane_layout::extent lane_layout::widest_around(const extent& mine) const {
    const std::array<int, 2> own{mine.first, mine.is_interval ? mine.ranks : 0};
    std::vector<int> all(2 * static_cast<std::size_t>(ranks_.private_comm().size()));
    mpi::check(MPI_Allgather(own.data(), 2, MPI_INT, all.data(), 2, MPI_INT, ranks_.private_comm()),
               "MPI_Allgather", "extents of nodes");
    extent widest = mine;
    for (std::size_t i = 0; i < all.size(); i += 2) {
        const int first = all[i], ranks = all[i + 1];
        if (ranks > widest.ranks && first <= ranks_.rank() && ranks_.rank() < first + ranks)
            widest = {first, ranks, true};
    }
    return widest;
}

TOPOMP_INLINE std::vector<int> lane_layout::whole_ranks(const boost::mpi::communicator& comm) const {
    std::vector<int> result(static_cast<std::size_t>(comm.size()));
    const int mine = ranks_.rank();
    mpi::check(MPI_Allgather(&mine, 1, MPI_INT, result.data(), 1, MPI_INT, comm), "MPI_Allgather",
               "ranks of a lane");
    return result;
}

TOPOMP_INLINE tree_edges lane_layout::lane_tree(const tree_plan& plan, int lane, int root_node,
                                                operand_order order, const std::vector<int>& inside) const {
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

} // namespace topo::detail
