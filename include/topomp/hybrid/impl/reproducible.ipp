// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hybrid/reproducible.hpp>

#include <algorithm>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE std::vector<int> ranks_that_write(copy_groups& groups, int root) {
    if (root != to_all) return {root};
    const grouped_ranks& all = groups.all_ranks();
    std::vector<int> firsts;
    for (int group = 0; group < all.groups(); ++group)
        firsts.push_back(all.at(group, 0));
    std::ranges::sort(firsts);
    return firsts;
}

} // namespace topo::detail
