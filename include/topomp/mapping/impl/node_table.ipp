// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/mapping/detail/node_table.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <numeric>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE const node_table& node_table::of(const hierarchy& levels) {
    return levels.attachment<node_table>([&] { return std::make_shared<node_table>(make(levels)); });
}

TOPOMP_INLINE node_table node_table::of_paths(const std::vector<path>& all) {
    node_table table;
    table.rank_of_seat.resize(all.size());
    std::iota(table.rank_of_seat.begin(), table.rank_of_seat.end(), 0);
    const auto path_of_rank = [&](int rank) { return all[static_cast<std::size_t>(rank)]; };
    std::ranges::stable_sort(table.rank_of_seat, {}, path_of_rank);
    std::array<std::vector<int>, 3> sizes;
    table.node_of_rank.resize(all.size());
    const path* before = nullptr;
    for (const int rank : table.rank_of_seat) {
        const path& now = all[static_cast<std::size_t>(rank)];
        bool is_new = before == nullptr;
        for (std::size_t i = 0; i < now.size(); ++i) {
            is_new = is_new || now[i] != (*before)[i];
            if (is_new)
                sizes[i].push_back(1);
            else
                ++sizes[i].back();
        }
        table.node_of_rank[static_cast<std::size_t>(rank)] = static_cast<int>(sizes[0].size()) - 1;
        before = &now;
    }
    for (std::size_t i = 1; i < sizes.size(); ++i)
        if (sizes[i].size() > sizes[i - 1].size()) table.parts.push_back(sizes[i]);
    table.node_sizes = std::move(sizes[0]);
    return table;
}

TOPOMP_INLINE node_table::path node_table::path_of(const hierarchy& levels) {
    path mine{};
    int depth = -1;
    if (const level* const node = levels.find(kind::machine)) {
        mine.fill(node->info().root);
        depth = node->depth();
    } else if (may_cross_nodes(levels.whole_info())) {
        mine.fill(-1);
        return mine; // its other objects do not determine its node
    }
    for (std::size_t i = 1; i < mine.size() && depth + static_cast<int>(i) < levels.depth(); ++i)
        for (std::size_t j = i; j < mine.size(); ++j)
            mine[j] = levels[depth + static_cast<int>(i)].info().root;
    return mine;
}

TOPOMP_INLINE node_table node_table::make(const hierarchy& levels) {
    const path mine = path_of(levels);
    const auto size = static_cast<std::size_t>(levels.whole_size());
    std::vector<path> all(size);
    mpi::check(MPI_Allgather(mine.data(), static_cast<int>(mine.size()), MPI_INT, all.data(),
                             static_cast<int>(mine.size()), MPI_INT, levels.whole()),
               "MPI_Allgather", "nodes of ranks");
    constexpr path unknown{-1, -1, -1};
    path beside{}; // of those whose node is not known
    beside.fill(static_cast<int>(std::ranges::find(all, unknown) - all.begin()));
    std::ranges::replace(all, unknown, beside);
    return of_paths(all);
}

} // namespace topo::detail
