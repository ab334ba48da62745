// SPDX-License-Identifier: BSL-1.0
/// @file
/// How good a mapping is: its cost, and how many of a cell's partners are on its node.
#pragma once

#include <topomp/mapping/mapping_problem.hpp>

#include <cstdint>

namespace topo {

/// How many partners the cells have.
struct partner_count {
    std::int64_t min = 0, max = 0;
    double mean = 0;
};

/// What a mapping costs, and the partners that cells have on their node and elsewhere. A partner beyond the
/// border of a grid counts as elsewhere, as in paper 3's table 3.
struct mapping_quality {
    mapping_cost cost;
    partner_count on_node, off_node;
};

} // namespace topo
