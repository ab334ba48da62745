// SPDX-License-Identifier: BSL-1.0
/// @file
/// The ranks below each child, which gathers and scatters need besides a rank's own edges.
#pragma once

#include <topomp/algorithm/tree/edges.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

/// The ranks below a rank in a tree, in the order of their blocks in messages: the rank itself, then for each
/// child everything below it.
///
/// ```
///   0 - 4 - 6        subtree of 0:  0 | 4 6 5 | 1
///     |   ` 5        begin:         0   1       4   5
///     ` 1
/// ```
struct subtree {
    std::vector<int> ranks;
    std::vector<std::size_t>
        begin; ///< of each child's blocks, and the end; the rank's own block comes before

    std::span<const int> below(std::size_t child) const;
};

/// Determines the ranks below: every rank sends its subtree to its parent. @collective over the ranks of the
/// tree
/// @cost a message of 4 bytes per rank below, along each edge
subtree find_subtree(MPI_Comm private_comm, int tag, const tree_edges& edges, int my_rank);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/tree/impl/subtree.ipp>
#endif
