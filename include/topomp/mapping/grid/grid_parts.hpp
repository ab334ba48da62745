// SPDX-License-Identifier: BSL-1.0
/// @file
/// The cells of each node divided once more, between its packages or NUMA nodes.
#pragma once

#include <topomp/mapping/cost/links.hpp>
#include <topomp/mapping/graph/bisection.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

/// Divides each node's cells between its parts; or each part's between parts of it.
///
/// Cells that form a box are mapped as a grid of their own; others by bisection. In both cases rows in order
/// are kept if these cost less.
class grid_parts {
public:
    grid_parts(const grid_problem& problem, const node_list& parts);

    /// @param wholes what is divided, in the order of the parts
    /// @param map of each cell, the whole that it is in
    node_map divide(const node_list& wholes, const node_map& map);

    /// What a division costs: the load between parts of the same whole.
    mapping_cost cost_of_parts(const node_map& wholes, const node_map& parts) const;

private:
    std::int64_t sent_by(int cell, const node_map& wholes, const node_map& parts) const;

    void divide_one(std::span<const int> cells, region wanted, node_map& result);

    void in_order(std::span<const int> cells, region wanted, node_map& result) const;

    /// The load between the parts of some cells.
    mapping_cost cost_within(std::span<const int> cells, region wanted, const node_map& parts) const;

    /// The extents of cells in ascending order if they form a box.
    std::optional<std::vector<int>> box_of(std::span<const int> cells) const;

    /// How a box of that size is divided; most nodes have the same.
    const node_map& box_map_of(const std::vector<int>& extents, region wanted);

    const grid_problem& problem_;
    const node_list& parts_;
    grid_links links_;
    bisection<grid_links, grid_orders> bisect_;
    std::map<std::pair<std::vector<int>, std::vector<int>>, node_map> boxes_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/grid/impl/grid_parts.ipp>
#endif
