// SPDX-License-Identifier: BSL-1.0
/// @file
/// Who hangs below whom: what gathers and scatters need to know beyond a rank's own edges.
#pragma once

#include <topomp/algorithm/edges.hpp>
#include <topomp/core/mpi.hpp>

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

/// The ranks below a rank in a tree, in the order in which their blocks travel: the rank itself, then for
/// each child everything below it.
///
/// ```
///   0 - 4 - 6        subtree of 0:  0 | 4 6 5 | 1
///     |   ` 5        begin:         0   1       4   5
///     ` 1
/// ```
struct subtree {
    std::vector<int> ranks;
    std::vector<std::size_t>
        begin; ///< of each child's part, and the end; the rank's own part is what is before

    std::span<const int> below(std::size_t child) const {
        return std::span{ranks}.subspan(begin[child], begin[child + 1] - begin[child]);
    }
};

/// Finds out who hangs below: every rank tells its parent. @collective over the ranks of the tree
/// @cost a message of 4 bytes per rank below, along each edge
inline subtree find_subtree(MPI_Comm wire, int tag, const tree_edges& edges, int my_rank) {
    subtree mine{{my_rank}, {1}};
    for (const int child : edges.children) {
        MPI_Status status{};
        mpi::check(MPI_Probe(child, tag, wire, &status), "MPI_Probe", "ranks below a child");
        int count = 0;
        mpi::check(MPI_Get_count(&status, MPI_INT, &count), "MPI_Get_count", "ranks below a child");
        const std::size_t old = mine.ranks.size();
        mine.ranks.resize(old + static_cast<std::size_t>(count));
        mpi::check(MPI_Recv(mine.ranks.data() + old, count, MPI_INT, child, tag, wire, MPI_STATUS_IGNORE),
                   "MPI_Recv", "ranks below a child");
        mine.begin.push_back(mine.ranks.size());
    }
    if (edges.parent >= 0)
        mpi::check(MPI_Send(mine.ranks.data(), static_cast<int>(mine.ranks.size()), MPI_INT, edges.parent,
                            tag, wire),
                   "MPI_Send", "ranks below");
    return mine;
}

} // namespace topo::detail
