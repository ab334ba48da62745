// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/graph_links.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE graph_links::graph_links(int vertices, const std::vector<graph_edge>& edges)
    : first_(static_cast<std::size_t>(vertices) + 1) {
    for (const auto& each : edges) {
        if (each.from == each.to) continue;
        ++first_[static_cast<std::size_t>(each.from) + 1];
        ++first_[static_cast<std::size_t>(each.to) + 1];
    }
    for (std::size_t i = 1; i < first_.size(); ++i)
        first_[i] += first_[i - 1];
    links_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (const auto& each : edges) {
        if (each.from == each.to) continue;
        links_[next[static_cast<std::size_t>(each.from)]++] = {each.to, each.weight, 0};
        links_[next[static_cast<std::size_t>(each.to)]++] = {each.from, 0, each.weight};
    }
    merge();
}

TOPOMP_INLINE void graph_links::merge() {
    std::size_t end = 0;
    for (std::size_t v = 0; v + 1 < first_.size(); ++v) {
        const std::size_t begin = std::exchange(first_[v], end), stop = first_[v + 1];
        std::sort(links_.begin() + static_cast<std::ptrdiff_t>(begin),
                  links_.begin() + static_cast<std::ptrdiff_t>(stop),
                  [](const link& one, const link& other) { return one.other < other.other; });
        for (std::size_t i = begin; i < stop; ++i) {
            if (end > first_[v] && links_[end - 1].other == links_[i].other) {
                links_[end - 1].out += links_[i].out;
                links_[end - 1].in += links_[i].in;
            } else {
                links_[end++] = links_[i];
            }
        }
    }
    first_.back() = end;
    links_.resize(end);
}

} // namespace topo::detail
