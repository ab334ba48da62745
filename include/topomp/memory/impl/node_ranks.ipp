// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/memory/detail/node_ranks.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <sstream>
#include <string>

namespace topo::detail {

TOPOMP_INLINE boost::mpi::communicator ranks_of_node(const hierarchy& levels) {
    int first = levels.whole_rank(); // the node's number is its first rank
    for (int i = levels.depth(); i-- > 0;)
        if (levels[i].is(kind::machine)) first = levels[i].info().root;
    const auto& whole = levels.whole_info();
    if (whole.is(kind::machine)) first = 0;
    const auto node = own(mpi::comm_split(levels.whole(), first, levels.whole_rank(), "ranks of a node"));
    return own(mpi::comm_split_shared(node, node.rank()));
}

TOPOMP_INLINE std::string name_of_node(const hierarchy& levels) {
    for (const level& each : levels)
        if (each.is(kind::machine)) return each.name();
    return levels.whole_info().is(kind::machine) ? levels.whole_info().name : "one rank";
}

TOPOMP_INLINE boost::mpi::communicator ranks_of_numa_node(const hierarchy& levels,
                                                          const boost::mpi::communicator& node) {
    const level* const numa = levels.find(kind::numa_node);
    const int color = numa == nullptr ? 0 : numa->info().root + 1;
    return own(mpi::comm_split(node, color, node.rank(), "ranks of a NUMA node"));
}

TOPOMP_INLINE std::string name_of_numa_node(const hierarchy& levels) {
    const level* const numa = levels.find(kind::numa_node);
    return numa == nullptr ? name_of_node(levels) : numa->name();
}

TOPOMP_INLINE boost::mpi::communicator ranks_of_level(const level& where) {
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
