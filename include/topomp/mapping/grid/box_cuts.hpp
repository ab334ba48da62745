// SPDX-License-Identifier: BSL-1.0
/// @file
/// What it costs to cut a box of cells through from side to side.
#pragma once

#include <topomp/mapping/stencil.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace topo::detail {

/// Per length of a step across a cut, how much each layer of the box carries.
struct cut_load {
    int step;
    std::int64_t load;
};

std::vector<cut_load> cut_loads(const stencil& pattern, const std::vector<int>& extents,
                                std::size_t dimension);

/// @param extent of the box in the dimension that is cut @param below how many layers are below the cut
std::int64_t cost_of_cut(const std::vector<cut_load>& loads, int extent, int below);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/grid/impl/box_cuts.ipp>
#endif
