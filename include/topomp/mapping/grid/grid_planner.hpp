// SPDX-License-Identifier: BSL-1.0
/// @file
/// From a request to a plan.
#pragma once

#include <topomp/mapping/grid_plan.hpp>
#include <topomp/mapping/mapping_problem.hpp>
#include <topomp/mapping/stencil.hpp>

#include <string>
#include <vector>

namespace topo::detail {

/// Checks a request, and completes it.
class grid_planner {
public:
    explicit grid_planner(const grid_request& request);

    grid_plan plan() const;

private:
    [[noreturn]] static void fail(const std::string& object, const std::string& problem);

    stencil pattern() const;

    /// The request's dims, none of them 0.
    std::vector<int> chosen_dims() const;

    /// Divides what nodes have between their parts, and these between theirs; the ranks of the innermost
    /// parts take their cells in order.
    void number_ranks(const grid_problem& problem, grid_plan& plan) const;

    /// The parts of each whole filled in the order of its cells.
    static node_map rows_in_order(const node_list& parts, const node_list& wholes, const node_map& map);

    const grid_request& request_;
    node_list nodes_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/impl/grid_plan.ipp>
#endif
