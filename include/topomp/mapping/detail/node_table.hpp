// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which ranks of a program are on which node, in the form that plans take.
#pragma once

#include <topomp/hierarchy/hierarchy.hpp>

#include <array>
#include <vector>

namespace topo::detail {

/// The ranks of the whole, node by node. A seat is a rank's number in that order; a plan counts in seats.
///
/// ```
///   ranks     0 1 2 3 4    on nodes a b a b a
///   seats     0 2 4 1 3    a has seats 0 to 2, b has 3 and 4
/// ```
struct node_table {
    std::vector<int> node_sizes;         ///< nodes in the order of their lowest ranks
    std::vector<std::vector<int>> parts; ///< of nodes, as `grid_request` takes them
    std::vector<int> node_of_rank;
    std::vector<int> rank_of_seat;

    /// The table of a hierarchy, made at its first use. Ranks in no level of kind `machine` are on one
    /// node, beside those of the others.
    /// @collective over the whole the first time @cost then an all-gather of three integers per rank
    static const node_table& of(const hierarchy& levels);

    /// The lowest ranks of a rank's node, of its part of that, and of its part of the part.
    using path = std::array<int, 3>;

    /// The table of ranks that have these paths. Local
    static node_table of_paths(const std::vector<path>& all);

private:
    static path path_of(const hierarchy& levels);

    static node_table make(const hierarchy& levels);
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/impl/node_table.ipp>
#endif
