// SPDX-License-Identifier: BSL-1.0
/// @file
/// The plan of a `node_cart`, made by one rank and sent to all.
#pragma once

#include <topomp/mapping/grid_plan.hpp>
#include <topomp/mapping/reordering.hpp>

#include <boost/mpi/config.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace topo {

/// The options of a `node_cart`, besides its dims.
struct node_cart_options {
    std::vector<bool> periods{};              ///< whether a dimension is a circle; empty: none is
    std::optional<stencil> pattern{};         ///< the neighbours of each cell; not given: `stencil::star`
    mapping_goal first = mapping_goal::total; ///< which cost decides first
    mapping_algorithm algorithm = mapping_algorithm::automatic; ///< which algorithm maps
    reordering reorder = reordering::allowed;                   ///< `off`: every rank keeps its number
};

namespace detail {

class comparison;
struct node_table;

/// The options that must be the same on all ranks.
void add_request(comparison& all, const std::vector<int>& dims, const node_cart_options& options);

/// A plan in the numbers of the whole's ranks. If their own order is better, or no other wanted, that.
grid_plan plan_for_ranks(const node_table& table, std::vector<int> dims, const node_cart_options& options);

/// What of a plan is of one size, for a message.
struct plan_summary {
    std::array<int, grid::most_dimensions> extents;
    mapping_quality now, blocked;
    std::int64_t lower_bound, parts;
    bool is_bounded, is_refined;
    mapping_algorithm algorithm;
};

/// The same on all ranks, made by rank 0: where ranks share cores or memory, one that computes is better than
/// all.
/// @collective over `whole`, with the same arguments @throws as `grid_plan::of`, on every rank
grid_plan shared_grid_plan(const node_table& table, std::vector<int> dims, const node_cart_options& options,
                           MPI_Comm whole);

} // namespace detail

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/impl/node_cart_plan.ipp>
#endif
