// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/shared_level.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE std::optional<int> lowest_shared_node(std::string_view call, const hierarchy& levels,
                                                    std::span<const int> ranks) {
    for (const int rank : ranks)
        require_rank(call, rank, levels.whole());
    if (std::ranges::find(ranks, levels.whole_rank()) == ranks.end()) return std::nullopt;
    int node = levels.depth();
    const auto is_outside = [](int rank) { return rank == MPI_UNDEFINED; };
    while (node > 0 && std::ranges::any_of(translate(ranks, levels.whole(), levels.node(node)), is_outside))
        --node;
    return node;
}

} // namespace topo::detail

namespace topo {

TOPOMP_INLINE std::optional<int> lowest_shared_node(const hierarchy& levels, std::span<const int> ranks) {
    return detail::lowest_shared_node("topo::lowest_shared_node", levels, ranks);
}

TOPOMP_INLINE std::string lowest_shared_type(const hierarchy& levels, std::span<const int> ranks) {
    const auto node = detail::lowest_shared_node("topo::lowest_shared_type", levels, ranks);
    if (!node) return "Unknown";
    return std::string{
        to_string(detail::innermost_kind(*node == 0 ? levels.whole_info() : levels[*node - 1].info()))};
}

TOPOMP_INLINE int shared_depth(const hierarchy& levels, int a, int b) {
    detail::require_same_rank("topo::shared_depth", a, levels.whole());
    detail::require_same_rank("topo::shared_depth", b, levels.whole());
    std::vector<int> mine; // a level is identified by its depth and its root
    for (const level& each : levels)
        mine.push_back(each.info().root);
    int depth = levels.depth();
    mpi::bcast(&depth, 1, MPI_INT, a, levels.whole(), "depth of a rank");
    std::vector<int> theirs = mine;
    theirs.resize(static_cast<std::size_t>(depth));
    mpi::bcast(theirs.data(), depth, MPI_INT, a, levels.whole(), "levels of a rank");
    int shared = static_cast<int>(std::ranges::mismatch(mine, theirs).in1 - mine.begin());
    mpi::bcast(&shared, 1, MPI_INT, b, levels.whole(), "shared levels of two ranks");
    return shared;
}

} // namespace topo
