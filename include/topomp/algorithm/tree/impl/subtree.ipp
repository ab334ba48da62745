// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/subtree.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <span>

namespace topo::detail {

TOPOMP_INLINE std::span<const int> subtree::below(std::size_t child) const {
    return std::span{ranks}.subspan(begin[child], begin[child + 1] - begin[child]);
}

TOPOMP_INLINE subtree find_subtree(MPI_Comm private_comm, int tag, const tree_edges& edges, int my_rank) {
    subtree mine{{my_rank}, {1}};
    for (const int child : edges.children) {
        MPI_Status status{};
        mpi::check(MPI_Probe(child, tag, private_comm, &status), "MPI_Probe", "ranks below a child");
        int count = 0;
        mpi::check(MPI_Get_count(&status, MPI_INT, &count), "MPI_Get_count", "ranks below a child");
        const std::size_t old = mine.ranks.size();
        mine.ranks.resize(old + static_cast<std::size_t>(count));
        mpi::check(
            MPI_Recv(mine.ranks.data() + old, count, MPI_INT, child, tag, private_comm, MPI_STATUS_IGNORE),
            "MPI_Recv", "ranks below a child");
        mine.begin.push_back(mine.ranks.size());
    }
    if (edges.parent >= 0)
        mpi::check(MPI_Send(mine.ranks.data(), static_cast<int>(mine.ranks.size()), MPI_INT, edges.parent,
                            tag, private_comm),
                   "MPI_Send", "ranks below");
    return mine;
}

} // namespace topo::detail
