// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/model/concurrent_tree_time.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace topo::model {

TOPOMP_INLINE double concurrent_tree_time(
    int root, double shortest, double combine,
    topo::detail::function_ref<void(int, topo::detail::function_ref<void(int, const message_cost&)>)>
        children) {
    std::vector<std::pair<int, double>> open{{root, 0.0}};
    std::vector<std::pair<int, message_cost>> messages;
    double last = 0;
    while (!open.empty()) {
        const auto [rank, start] = open.back();
        open.pop_back();
        last = std::max(last, start);
        messages.clear();
        children(rank, [&](int child, const message_cost& cost) { messages.emplace_back(child, cost); });
        const auto behind = static_cast<double>(messages.size()) - 1;
        for (std::size_t i = 0; i < messages.size(); ++i) {
            const message_cost& cost = messages[i].second;
            const double turn = cost.gap > shortest ? behind : static_cast<double>(i);
            open.emplace_back(messages[i].first,
                              start + cost.time + turn * cost.gap + (behind + 1) * combine);
        }
    }
    return last;
}

} // namespace topo::model
