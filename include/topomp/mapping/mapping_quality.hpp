// SPDX-License-Identifier: BSL-1.0
/// @file
/// How good a mapping is: its cost, and how many of a cell's partners are on its node.
#pragma once

#include <topomp/mapping/mapping_problem.hpp>

#include <cstdint>

namespace topo {

/// How many partners the cells have.
struct partner_count {
    std::int64_t min = 0; ///< of the cell with the fewest
    std::int64_t max = 0; ///< of the cell with the most
    double mean = 0;      ///< over all cells
};

/// What a mapping costs, and the partners that cells have on their node and elsewhere. A partner beyond the
/// border of a grid counts as elsewhere, as in paper 3's table 3.
struct mapping_quality {
    mapping_cost cost;      ///< of the links between nodes
    partner_count on_node;  ///< partners on the cell's own node
    partner_count off_node; ///< partners elsewhere or beyond the border
};

} // namespace topo
