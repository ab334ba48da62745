// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which ranks have memory in common.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/level.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <sstream>
#include <string>

namespace topo::detail {

/// The ranks of the calling rank's node, on a communicator of their own: those of its outermost level that is
/// a machine, only itself if there is none, and of these those that really share memory with it.
/// @collective over the whole @cost two splits
inline boost::mpi::communicator ranks_of_node(const hierarchy& tree) {
    int first = tree.whole().rank(); // the node's number is its first rank
    for (int i = tree.depth(); i-- > 0;)
        if (tree[i].is(kind::machine)) first = tree[i].info().root;
    const auto& whole = tree.whole_info();
    if (whole.is(kind::machine)) first = 0;
    const auto node = own(mpi::comm_split(tree.whole(), first, tree.whole().rank(), "ranks of a node"));
    return own(mpi::comm_split_shared(node, node.rank()));
}

/// What the ranks of a node share, by name.
inline std::string name_of_node(const hierarchy& tree) {
    for (const level& each : tree)
        if (each.is(kind::machine)) return each.name();
    return tree.whole_info().is(kind::machine) ? tree.whole_info().name : "one rank";
}

/// Of the ranks of a node, those that are in the same NUMA node as the calling rank; if it is in none, those
/// that are in none, on a communicator of their own. @collective over `node` @cost a split
inline boost::mpi::communicator ranks_of_numa_node(const hierarchy& tree,
                                                   const boost::mpi::communicator& node) {
    const level* const numa = tree.find(kind::numa_node);
    const int color = numa == nullptr ? 0 : numa->info().root + 1;
    return own(mpi::comm_split(node, color, node.rank(), "ranks of a NUMA node"));
}

inline std::string name_of_numa_node(const hierarchy& tree) {
    const level* const numa = tree.find(kind::numa_node);
    return numa == nullptr ? name_of_node(tree) : numa->name();
}

/// The ranks of a level, on a communicator of their own.
/// @collective over the level @cost a split and an all-reduce
/// @throws argument_error, on every rank, if not all of them have memory in common
inline boost::mpi::communicator ranks_of_level(const level& where) {
    auto together = own(mpi::comm_split_shared(where.comm(), where.rank()));
    const int mine = together.size();
    int least = 0;
    mpi::allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, where.comm(), "ranks that share memory");
    if (least == where.size()) return together;
    std::ostringstream name;
    name << where.info();
    throw argument_error("topo::shared_window", name.str(),
                         "its " + std::to_string(where.size()) +
                             " ranks have no memory in common, for they run on several hosts: take a level "
                             "inside a host, or the hierarchy, which gives a window to each node");
}

} // namespace topo::detail
