// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/graph/scotch.hpp>
#include <topomp/mapping/graph_links.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE node_repair::node_repair(const graph_links& links, const node_list& nodes,
                                       const std::vector<bool>& fixed, node_map& map)
    : links_(links), map_(map), room_(nodes.sizes()), members_(static_cast<std::size_t>(nodes.count())) {
    for (int vertex = 0; vertex < links.size(); ++vertex) {
        --room_[at(vertex)];
        if (!fixed[static_cast<std::size_t>(vertex)]) members_[at(vertex)].push_back(vertex);
    }
}

TOPOMP_INLINE void node_repair::run() {
    for (std::size_t node = 0; node < room_.size(); ++node)
        while (room_[node] < 0)
            move_one(node);
}

TOPOMP_INLINE std::size_t node_repair::at(int vertex) const {
    return static_cast<std::size_t>(map_[static_cast<std::size_t>(vertex)]);
}

TOPOMP_INLINE void node_repair::move_one(std::size_t node) {
    std::int64_t most = std::numeric_limits<std::int64_t>::min();
    std::size_t which = 0, target = 0;
    for (std::size_t i = 0; i < members_[node].size(); ++i) {
        const auto [there, gain] = best_move(members_[node][i], node);
        if (gain <= most) continue;
        most = gain;
        which = i;
        target = there;
    }
    const int vertex = members_[node][which];
    members_[node].erase(members_[node].begin() + static_cast<std::ptrdiff_t>(which));
    members_[target].push_back(vertex);
    map_[static_cast<std::size_t>(vertex)] = static_cast<int>(target);
    ++room_[node];
    --room_[target];
}

TOPOMP_INLINE node_repair::move node_repair::best_move(int vertex, std::size_t node) {
    while (room_[first_] <= 0)
        ++first_; // what is full stays full
    std::int64_t here = 0;
    loads_.clear();
    links_.visit(vertex, [&](int other, std::int64_t out, std::int64_t in) {
        if (at(other) == node)
            here += out + in;
        else if (room_[at(other)] > 0)
            loads_.push_back({at(other), out + in});
    });
    std::ranges::sort(loads_, {}, &move::there);
    move best{first_, -here};
    for (std::size_t i = 0; i < loads_.size();) {
        move next{loads_[i].there, -here};
        for (; i < loads_.size() && loads_[i].there == next.there; ++i)
            next.gain += loads_[i].gain;
        if (next.gain > best.gain) best = next;
    }
    return best;
}

} // namespace topo::detail
