// SPDX-License-Identifier: BSL-1.0
/// @file
/// Rows of a sparse matrix on the ranks of a hierarchy, so that rows that need each other's elements share
/// nodes.
#pragma once

#include "../solver_support/machine_options.hpp"
#include "../solver_support/matrix_market.hpp"
#include "../solver_support/program.hpp"
#include "rows.hpp"
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/mapping/graph.hpp>
#include <topomp/mapping/graph_options.hpp>
#include <topomp/mapping/graph_plan.hpp>
#include <topomp/mapping/graph_request.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace cg {

/// Whose elements each row needs beside those of its own part: calls `visit(row, part)` once for each.
/// @param part of each row
template <class Visit>
void visit_needs(const apps::sparse_matrix& matrix, const std::vector<int>& part, Visit visit) {
    std::vector<int> others;
    const auto& entries = matrix.entries;
    for (std::size_t i = 0; i < entries.size();) {
        const int row = entries[i].row;
        others.clear();
        for (; i < entries.size() && entries[i].row == row; ++i)
            if (const int other = part[static_cast<std::size_t>(entries[i].column)];
                other != part[static_cast<std::size_t>(row)])
                others.push_back(other);
        std::ranges::sort(others);
        others.erase(std::unique(others.begin(), others.end()), others.end());
        for (const int other : others)
            visit(row, other);
    }
}

/// Blocks of consecutive rows, which a `topo::graph` gives to ranks: block v sends to block w as many
/// elements as rows of v have entries in columns of w. @return of each row the rank @collective over the
/// whole
inline std::vector<int> rows_by_graph(const topo::hierarchy& levels, const apps::sparse_matrix& matrix) {
    const int ranks = levels.whole().size(), mine = levels.whole().rank();
    std::vector<int> result = blocks_of_rows(matrix, ranks);
    std::vector<std::int64_t> load(static_cast<std::size_t>(ranks));
    visit_needs(matrix, result, [&](int row, int other) {
        if (result[static_cast<std::size_t>(row)] == mine) ++load[static_cast<std::size_t>(other)];
    });
    std::vector<int> neighbours;
    topo::graph_options options;
    for (int other = 0; other < ranks; ++other)
        if (const std::int64_t elements = load[static_cast<std::size_t>(other)]; elements > 0) {
            neighbours.push_back(other);
            options.weights.push_back(elements);
        }
    const topo::graph blocks{levels, neighbours, options};
    for (int& each : result)
        each = blocks.old_rank(each);
    return result;
}

/// Each row is a vertex of a `topo::graph_plan`, whose nodes are the nodes and whose parts are the ranks:
/// each rank gets as many rows, and the plan cuts few entries. Rank 0 makes it. @param node_of_rank as
/// `apps::nodes_of_ranks`
/// @return of each row the rank @collective over the whole @throws refused if there are fewer rows than ranks
inline std::vector<int> rows_by_plan(const topo::hierarchy& levels, const apps::sparse_matrix& matrix,
                                     const std::vector<int>& node_of_rank) {
    const auto ranks = static_cast<std::size_t>(levels.whole().size());
    const auto rows = static_cast<std::size_t>(matrix.rows);
    if (rows < ranks)
        throw apps::refused("--rows plan: " + std::to_string(rows) + " rows are too few for " +
                            std::to_string(ranks) + " ranks");
    std::vector<int> result;
    apps::on_first(levels.whole(), [&] {
        std::vector<int> in_order(ranks); // the ranks of a node one behind the other
        std::iota(in_order.begin(), in_order.end(), 0);
        std::ranges::stable_sort(in_order, {},
                                 [&](int rank) { return node_of_rank[static_cast<std::size_t>(rank)]; });
        topo::graph_request request;
        request.parts.emplace_back();
        std::vector<int> rank_of_place;
        for (std::size_t i = 0; i < ranks; ++i) {
            const int rank = in_order[i];
            const auto share = static_cast<int>(rows * (i + 1) / ranks - rows * i / ranks);
            if (node_of_rank[static_cast<std::size_t>(rank)] == rank) request.node_sizes.push_back(0);
            request.node_sizes.back() += share;
            request.parts.front().push_back(share);
            rank_of_place.insert(rank_of_place.end(), static_cast<std::size_t>(share), rank);
        }
        for (const auto& each : matrix.entries)
            if (each.row != each.column) request.edges.push_back({each.row, each.column, 1});
        for (const int place : topo::graph_plan::of(request).owner)
            result.push_back(rank_of_place[static_cast<std::size_t>(place)]);
    });
    apps::broadcast(result, levels.whole());
    return result;
}

/// How many elements rows need from other nodes: each element counts once for each node that needs it.
/// @param owner of each row the rank
inline std::int64_t elements_between_nodes(const apps::sparse_matrix& matrix, std::vector<int> owner,
                                           const std::vector<int>& node_of_rank) {
    for (int& each : owner)
        each = node_of_rank[static_cast<std::size_t>(each)];
    std::int64_t result = 0;
    visit_needs(matrix, owner, [&](int, int) { ++result; }); // the matrix is symmetric: who needs, is needed
    return result;
}

} // namespace cg
