// SPDX-License-Identifier: BSL-1.0
/// @file
/// All ranks in a row, lane by lane, for collectives that carry everybody's block along lanes.
#pragma once

#include <topomp/algorithm/edges.hpp>
#include <topomp/algorithm/lane_layout.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/algorithm/tree_plan.hpp>
#include <topomp/core/mpi.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

/// All ranks in groups: those of a node whose blocks go along one lane, the lane's rank first. The groups of
/// a lane lie one behind the other, node by node.
///
/// ```
///   node 0   0  1  2       lanes 0 and 1:   0 2 | 3 | 5 7 || 1 | 4 | 6
///   node 1   3  4
///   node 2   5  6  7
/// ```
struct lane_row {
    int nodes = 0;
    std::vector<int> ranks;
    std::vector<std::size_t> begin; ///< of each group, and the end

    std::size_t group(int lane, int node) const {
        return static_cast<std::size_t>(lane) * static_cast<std::size_t>(nodes) +
               static_cast<std::size_t>(node);
    }
    std::span<const int> members(std::size_t group) const {
        return std::span{ranks}.subspan(begin[group], begin[group + 1] - begin[group]);
    }

    /// The calling rank's edges in the trees that everybody's blocks take.
    struct trees {
        std::vector<tree_edges> along;  ///< by node, from its rank along the own lane; none in no lane
        std::vector<tree_edges> inside; ///< by lane, from its rank in the own node
    };
};

/// The row of a team, made when it is asked for.
class lane_rows {
public:
    explicit lane_rows(team& ranks) : ranks_(ranks), layout_(ranks.kept<lane_layout>()) {}

    /// @collective over the team the first time @cost then an all-gather of 8 bytes per rank
    const lane_row& row() {
        if (!row_.ranks.empty()) return row_;
        const auto size = static_cast<std::size_t>(ranks_.wire().size());
        std::vector<std::array<int, 2>> seats(size);
        const std::array mine{layout_.node_number(), layout_.number() % layout_.lanes()};
        mpi::check(MPI_Allgather(mine.data(), 2, MPI_INT, seats.data(), 2, MPI_INT, ranks_.wire()),
                   "MPI_Allgather", "nodes and lanes of all ranks");
        for (const auto& [node, lane] : seats)
            row_.nodes = std::max(row_.nodes, node + 1);
        row_.begin.assign(row_.group(layout_.lanes(), 0) + 1, 0);
        for (const auto& [node, lane] : seats)
            ++row_.begin[row_.group(lane, node) + 1];
        for (std::size_t i = 1; i < row_.begin.size(); ++i)
            row_.begin[i] += row_.begin[i - 1];
        row_.ranks.resize(size);
        auto next = row_.begin;
        for (std::size_t rank = 0; rank < size; ++rank)
            row_.ranks[next[row_.group(seats[rank][1], seats[rank][0])]++] = static_cast<int>(rank);
        return row_;
    }

    /// Whether each tree can have a tag of its own. The same on all ranks. @collective as `row`
    bool has_tags() {
        constexpr int most = 16384; // half of the tags that the standard guarantees
        return row().nodes + layout_.lanes() < most;
    }

    const lane_row::trees& trees_of(const tree_plan& plan, operand_order order) {
        const std::pair key{static_cast<const void*>(plan.rules.data()), order};
        if (const auto known = trees_.find(key); known != trees_.end()) return known->second;
        const auto edges = [&](const std::vector<int>& ranks, int mine, int root, const any_shape& how) {
            const step_view step{ranks, mine, root, ranks[static_cast<std::size_t>(root)]};
            return compose(std::span{&step, 1}, std::span{&how, 1}, order);
        };
        lane_row::trees made;
        for (int node = 0; node < static_cast<int>(layout_.lane().size()); ++node)
            made.along.push_back(edges(layout_.lane(), layout_.node_number(), node, plan.along()));
        for (int lane = 0; lane < layout_.lanes(); ++lane)
            made.inside.push_back(edges(layout_.node(), layout_.number(), lane, plan.inside()));
        return trees_.emplace(key, std::move(made)).first->second;
    }

private:
    team& ranks_;
    lane_layout& layout_;
    lane_row row_;
    std::map<std::pair<const void*, operand_order>, lane_row::trees> trees_; ///< by rules and order
};

} // namespace topo::detail
