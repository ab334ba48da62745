// SPDX-License-Identifier: BSL-1.0
/// @file
/// The one tree that a shape for each level composes.
#pragma once

#include <topomp/algorithm/any_shape.hpp>
#include <topomp/model/level_cost.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace topo::model::detail {

/// The tree that one shape per level composes, from rank 0.
class composed_tree {
public:
    /// @param shapes one for each level, or one for all
    composed_tree(std::span<const any_shape> shapes, std::span<const level_cost> levels)
        : shapes_(shapes), levels_(levels) {}

    /// Calls `send(child, cost, level)` for each child, outer levels first.
    template <class Send>
    void children(int rank, Send send) {
        for (std::size_t depth = 0; depth < levels_.size(); ++depth) {
            const auto stride = static_cast<int>(ranks_inside(levels_, depth));
            if (rank % stride != 0) continue; // not the shape of this level
            const int members = levels_[depth].members, member = rank / stride % members;
            found_.clear();
            shapes_[shapes_.size() == 1 ? 0 : depth].children(member, members, found_);
            for (const int child : found_)
                send(rank + (child - member) * stride, levels_[depth].message, depth);
        }
    }

private:
    std::span<const any_shape> shapes_;
    std::span<const level_cost> levels_;
    std::vector<int> found_; // of one rank; kept, because a decision needs those of thousands of ranks
};

} // namespace topo::model::detail
