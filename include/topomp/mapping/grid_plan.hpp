// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which rank has which cell of a grid, worked out without MPI.
#pragma once

#include <topomp/mapping/grid.hpp>
#include <topomp/mapping/grid_candidates.hpp>
#include <topomp/mapping/mapping_problem.hpp>
#include <topomp/mapping/mapping_quality.hpp>
#include <topomp/mapping/stencil.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace topo {

/// The request for a plan.
struct grid_request {
    std::vector<int> dims{};          ///< cells along each dimension; 0: chosen together with the mapping
    std::vector<bool> periods{};      ///< whether a dimension is a circle; empty: none is
    std::optional<stencil> pattern{}; ///< the neighbours of each cell; not given: `stencil::star`
    std::vector<int> node_sizes{};    ///< ranks of each node, in rank order
    /// Ranks of each package, in rank order; then of each NUMA node; ...: each level divides the one before.
    std::vector<std::vector<int>> parts{};
    mapping_goal first = mapping_goal::total;                   ///< which cost decides first
    mapping_algorithm algorithm = mapping_algorithm::automatic; ///< which algorithm maps
};

/// The cells of a grid as owned by ranks, and how good that is: a value.
///
/// Pure computation with whole numbers: equal requests give equal plans, on every rank and every machine.
struct grid_plan {
    grid cells;                  ///< with the extents that were chosen
    stencil pattern;             ///< the neighbours of each cell
    std::vector<int> owner;      ///< of each cell, the rank
    std::vector<int> node;       ///< of each cell, the node
    mapping_algorithm algorithm; ///< which one's result this is
    bool is_refined = false;     ///< and whether swaps made it better
    mapping_quality now;         ///< of this plan
    mapping_quality blocked;     ///< if rank r had cell r
    /// No mapping has a lower `jsum`. Not computed if more than ten dimensions are periodic.
    std::optional<std::int64_t> lower_bound;

    /// A level inside the nodes: the load between parts of the same node, or of the same part of the level
    /// before.
    struct level {
        mapping_cost now;     ///< of this plan
        mapping_cost blocked; ///< with the ranks of a node in the order of its cells
    };
    std::vector<level> parts; ///< one for each level inside the nodes, outermost first

    /// Makes a plan.
    ///
    /// @cost linear memory; with `automatic` about a second for a million cells on a core of 2020
    /// @throws argument_error if the request cannot be met; the message names what would fit
    /// @see paper 3, section 2
    static grid_plan of(const grid_request& request);

    /// Of each rank, its cell.
    std::vector<int> cells_of_ranks() const;
};

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/impl/grid_plan.ipp>
#endif
