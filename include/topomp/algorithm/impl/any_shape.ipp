// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/any_shape.hpp>
#include <topomp/core/detail/inline.hpp>

#include <cstddef>
#include <vector>

namespace topo {

TOPOMP_INLINE void any_shape::children(int v, int n, std::vector<int>& found) const {
    if (!is_below_single_child) return family->children(v, n, number, found);
    if (v == 0) {
        if (n > 1) found.push_back(1);
        return;
    }
    const std::size_t before = found.size();
    family->children(v - 1, n - 1, number, found);
    for (std::size_t i = before; i < found.size(); ++i)
        ++found[i];
}

} // namespace topo
