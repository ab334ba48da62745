// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/hardware/detail/switch_tree.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE switch_tree::position switch_tree::at(const std::vector<std::string>& path) {
    position here = top;
    for (const auto& name : path) {
        const auto [known, is_new] = known_.try_emplace({here, name}, switches_.size());
        if (is_new) switches_.push_back({here, 0});
        here = known->second;
    }
    return here;
}

TOPOMP_INLINE void switch_tree::add_node(position innermost) {
    for (; innermost != top; innermost = switches_[innermost].outer)
        ++switches_[innermost].nodes;
}

TOPOMP_INLINE std::vector<bool> switch_tree::filling(position innermost) const {
    std::vector<bool> result;
    std::size_t inside = 1; // the node itself
    for (; innermost != top; innermost = switches_[innermost].outer) {
        result.push_back(switches_[innermost].nodes == inside);
        inside = switches_[innermost].nodes;
    }
    result.push_back(false);
    return {result.rbegin(), result.rend()};
}

} // namespace topo::detail
