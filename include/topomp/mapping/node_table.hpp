// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which ranks of a program are on which node, in the form that plans take.
#pragma once

#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <numeric>
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

    /// The table of a hierarchy, made at its first use. Ranks in no level of kind `machine` are on one node.
    /// @collective over the whole the first time @cost then an all-gather of three integers per rank
    static const node_table& of(const hierarchy& tree) {
        return tree.attachment<node_table>([&] { return std::make_shared<node_table>(make(tree)); });
    }

    /// The lowest ranks of a rank's node, of its part of that, and of its part of the part.
    using path = std::array<int, 3>;

    /// The table of ranks that have these paths. Local
    static node_table of_paths(const std::vector<path>& all) {
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

private:
    static path path_of(const hierarchy& tree) {
        path mine{};
        int depth = -1;
        if (const level* const node = tree.find(kind::machine)) {
            mine.fill(node->info().root);
            depth = node->depth();
        } else if (may_cross_nodes(tree.whole_info())) {
            return mine; // whatever else it is in, nobody knows its node
        }
        for (std::size_t i = 1; i < mine.size() && depth + static_cast<int>(i) < tree.depth(); ++i)
            for (std::size_t j = i; j < mine.size(); ++j)
                mine[j] = tree[depth + static_cast<int>(i)].info().root;
        return mine;
    }

    static node_table make(const hierarchy& tree) {
        const path mine = path_of(tree);
        const auto size = static_cast<std::size_t>(tree.whole().size());
        std::vector<path> all(size);
        mpi::check(MPI_Allgather(mine.data(), static_cast<int>(mine.size()), MPI_INT, all.data(),
                                 static_cast<int>(mine.size()), MPI_INT, tree.whole()),
                   "MPI_Allgather", "nodes of ranks");
        return of_paths(all);
    }
};

} // namespace topo::detail
