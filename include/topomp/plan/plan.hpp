// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithm of one call and its parameters, as a value.
#pragma once

#include <topomp/algorithm/levels/loop_plan.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/plan/detail/algorithm.hpp>

#include <cstddef>

namespace topo {

/// What a policy type stands for, or what `automatic` decides: a policy is the compile-time form of a plan.
/// Plans compare by value; `to_string` and `read_plan` (plan/plan_text.hpp) are their text.
struct plan {
    detail::algorithm uses = detail::algorithm::flat; ///< the algorithm that moves the data
    detail::tree_plan tree{};                         ///< of trees and lanes
    detail::loop_plan loop{};                         ///< of `hierarchical`
    detail::tree_plan second_tree{}; ///< of the second half of a message that two trees carry
    int radix = 2;                   ///< of exchanges in rounds: how many ranks meet in one
    std::size_t whole_bytes = 0;     ///< of `k_ary_rabenseifner`: blocks as short as this stay whole; of
                                     ///< `k_ary_bruck` and `node_aggregated`: as long go from rank to rank,
                                     ///< in all_to_all from rank to node; of `circulant`: a piece

    friend constexpr bool operator==(const plan&, const plan&) = default;
};

} // namespace topo
