// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/core/detail/inline.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE int level_edges::parent() const {
    const int n = step_.size(), root = step_.root_index, i = step_.index;
    if (i == root) return -1;
    if (order_ == operand_order::any) {
        const int v = shape_.parent((i - root + n) % n, n);
        return step_.rank_of((v + root) % n);
    }
    return step_.rank_of(i > root ? root + shape_.parent(i - root, n - root)
                                  : root - shape_.parent(root - i, root + 1));
}

TOPOMP_INLINE std::vector<operand> level_edges::children() const {
    const int n = step_.size(), root = step_.root_index, i = step_.index;
    std::vector<operand> result;
    std::vector<int> found;
    if (order_ == operand_order::any) {
        shape_.children((i - root + n) % n, n, found);
        for (const int v : found)
            result.push_back({step_.rank_of((v + root) % n), false});
        return result;
    }
    if (i >= root) {
        shape_.children(i - root, n - root, found);
        for (const int v : found)
            result.push_back({step_.rank_of(root + v), false});
    }
    if (i <= root) {
        found.clear();
        shape_.children(root - i, root + 1, found);
        for (const int v : found)
            result.push_back({step_.rank_of(root - v), true});
    }
    return result;
}

TOPOMP_INLINE tree_edges compose(std::span<const step_view> steps, std::span<const any_shape> shapes,
                                 operand_order order) {
    tree_edges result;
    for (std::size_t d = 0; d < steps.size(); ++d) {
        const level_edges here{steps[d], shapes[d], order};
        if (d == 0) result.parent = here.parent();
        for (const operand& child : here.children())
            result.children.push_back(child.rank);
    }
    // Inner levels hold the nearest ranks; within one side of a level, the nearest child has the least
    // distance.
    for (std::size_t d = steps.size(); d-- > 0;) {
        auto found = level_edges{steps[d], shapes[d], order}.children();
        if (order == operand_order::of_ranks) {
            const int me = steps[d].rank_of(steps[d].index);
            const auto distance = [me](const operand& child) {
                return child.is_left ? me - child.rank : child.rank - me;
            };
            std::sort(found.begin(), found.end(), [distance](const operand& a, const operand& b) {
                const int first = distance(a), second = distance(b);
                return first != second ? first < second : !a.is_left && b.is_left; // no two are on one side
            });
        } else {
            std::ranges::reverse(found); // the smallest subtree is ready first
        }
        result.operands.insert(result.operands.end(), found.begin(), found.end());
    }
    return result;
}

} // namespace topo::detail
