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
#include <vector>

namespace topo::detail {

TOPOMP_INLINE lane_layout::lane_layout(context& ranks) : ranks_(ranks) {
    const auto& private_comm = ranks.private_comm();
    const int first = first_of_node();
    node_comm_ = own(mpi::comm_split(private_comm, first, ranks.rank(), "ranks of a node"));
    node_ = everybody(node_comm_);
    const int size = node_comm_.size();
    mpi::allreduce(&size, &lanes_, 1, MPI_INT, MPI_MIN, private_comm, "number of lanes");
    const int number = node_comm_.rank();
    lane_comm_ = own(
        mpi::comm_split(private_comm, number < lanes_ ? number : MPI_UNDEFINED, first, "ranks of a lane"));
    if (lane_comm_) {
        lane_ = everybody(lane_comm_);
        node_number_ = lane_comm_.rank();
    }
    mpi::bcast(&node_number_, 1, MPI_INT, 0, node_comm_, "number of a node");
}

TOPOMP_INLINE lane_layout::seat_of_root lane_layout::seat_of(int root) {
    if (const auto known = seats_.find(root); known != seats_.end()) return known->second;
    if (seats_.size() == most_roots) { // every rank adds the same roots in the same order
        seats_.clear();
        trees_.clear();
    }
    std::array<int, 2> seat{node_number_, number()};
    mpi::bcast(seat.data(), 2, MPI_INT, root, ranks_.private_comm(), "place of a root");
    return seats_.emplace(root, seat_of_root{seat[0], seat[1]}).first->second;
}

TOPOMP_INLINE const std::vector<tree_edges>& lane_layout::trees_to(const tree_plan& plan, int root,
                                                                   operand_order order) {
    const int node = seat_of(root).node;
    return trees(plan, root, order, [&](int lane) { return lane_tree(plan, lane, node, order, node_); });
}

TOPOMP_INLINE const std::vector<tree_edges>& lane_layout::trees_from(const tree_plan& plan, int root) {
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

TOPOMP_INLINE int lane_layout::first_of_node() const {
    const bool is_one_machine = ranks_.info(0).is(kind::machine);
    int found = is_one_machine && ranks_.depth() > 0 ? 1 : -1;
    for (int depth = 0; depth <= ranks_.depth(); ++depth) {
        const level_info& here = ranks_.info(depth);
        if (is_one_machine ? here.is(kind::package) || here.is(kind::numa_node) : here.is(kind::machine))
            found = std::max(found, depth);
    }
    if (found < 0) return ranks_.rank();
    return translate(std::array{0}, ranks_.level(found), ranks_.private_comm()).front();
}

TOPOMP_INLINE std::vector<int> lane_layout::everybody(const boost::mpi::communicator& comm) const {
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
