// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/shared_level.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace topo {

TOPOMP_INLINE std::optional<int> lowest_shared_node(const hierarchy& tree, std::span<const int> ranks) {
    for (const int rank : ranks)
        detail::require_rank("topo::lowest_shared_node", rank, tree.whole());
    if (std::ranges::find(ranks, tree.whole().rank()) == ranks.end()) return std::nullopt;
    int node = tree.depth();
    const auto is_outside = [](int rank) { return rank == MPI_UNDEFINED; };
    while (node > 0 &&
           std::ranges::any_of(detail::translate(ranks, tree.whole(), tree.node(node)), is_outside))
        --node;
    return node;
}

TOPOMP_INLINE std::string lowest_shared_type(const hierarchy& tree, std::span<const int> ranks) {
    const auto node = lowest_shared_node(tree, ranks);
    if (!node) return "Unknown";
    return std::string{
        to_string(detail::innermost_kind(*node == 0 ? tree.whole_info() : tree[*node - 1].info()))};
}

TOPOMP_INLINE int shared_depth(const hierarchy& tree, int a, int b) {
    detail::require_same_rank("topo::shared_depth", a, tree.whole());
    detail::require_same_rank("topo::shared_depth", b, tree.whole());
    std::vector<int> mine; // a level is known by its depth and its root
    for (const level& each : tree)
        mine.push_back(each.info().root);
    int depth = tree.depth();
    mpi::bcast(&depth, 1, MPI_INT, a, tree.whole(), "depth of a rank");
    std::vector<int> theirs = mine;
    theirs.resize(static_cast<std::size_t>(depth));
    mpi::bcast(theirs.data(), depth, MPI_INT, a, tree.whole(), "levels of a rank");
    int shared = static_cast<int>(std::ranges::mismatch(mine, theirs).in1 - mine.begin());
    mpi::bcast(&shared, 1, MPI_INT, b, tree.whole(), "shared levels of two ranks");
    return shared;
}

} // namespace topo
