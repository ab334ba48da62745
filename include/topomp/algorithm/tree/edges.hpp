// SPDX-License-Identifier: BSL-1.0
/// @file
/// One tree over all ranks out of a shape per level, as pure functions.
#pragma once

#include <topomp/algorithm/any_shape.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace topo {

namespace detail {

/// One level from the view of a member: the members are one rank of each group below, and each rank that is
/// in no group below.
struct step_view {
    std::span<const int> members; ///< their numbers in the whole, ascending
    int index = 0;                ///< of the calling rank among them
    int root_index = 0;           ///< of the member through which data enters or leaves this level
    int root_rank = 0; ///< the number of that rank in the whole; it may replace `members[root_index]`

    int rank_of(int i) const { return i == root_index ? root_rank : members[static_cast<std::size_t>(i)]; }
    int size() const { return static_cast<int>(members.size()); }
};

/// A child whose data a rank combines with its own.
struct operand {
    int rank = 0;
    bool is_left = false; ///< whether all ranks behind it come before the calling one
};

/// A rank's edges in the one tree over all ranks.
struct tree_edges {
    int parent = -1;               ///< -1: the root of the tree
    std::vector<int> children;     ///< in the order of sends: the most expensive link first
    std::vector<operand> operands; ///< the same ranks in the order to combine them: the nearest first
};

enum class operand_order { any, of_ranks };

/// Adds one level's edges. Numbers count from the level's root: `v` is `root + v` cyclically; or, if the
/// order of operands is preserved, `v` to the right of the root or `v` to its left: one tree on each side.
class level_edges {
public:
    level_edges(const step_view& step, const any_shape& tree_shape, operand_order order)
        : step_(step), shape_(tree_shape), order_(order) {}

    int parent() const;

    /// The children, the one with the most below it first, with the side they are on.
    std::vector<operand> children() const;

private:
    const step_view& step_;
    const any_shape& shape_;
    operand_order order_;
};

/// A rank's edges in the tree that the levels' shapes compose.
///
/// @param steps the levels in which the rank moves data, outermost first; in all but the first it is the root
/// @param shapes one for each step
/// @param order whether operands must be combined in the order of ranks; then every shape must be an interval
///        shape and every group of ranks below a step an interval of ranks
tree_edges compose(std::span<const step_view> steps, std::span<const any_shape> shapes, operand_order order);

} // namespace detail
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/tree/impl/edges.ipp>
#endif
