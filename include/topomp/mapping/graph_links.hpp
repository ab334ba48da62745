// SPDX-License-Identifier: BSL-1.0
/// @file
/// The links of a graph's vertices, in the form that algorithms take.
#pragma once

#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace topo {

/// A message from one vertex of a graph to another.
struct graph_edge {
    int from = 0, to = 0;
    std::int64_t weight = 1;
    friend bool operator==(const graph_edge&, const graph_edge&) = default;
};

namespace detail {

/// As `grid_links`, for edges in a list. Edges with the same ends are one link with their weights together;
/// edges from a vertex to itself are left out.
class graph_links {
public:
    graph_links(int vertices, const std::vector<graph_edge>& edges)
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

    int size() const { return static_cast<int>(first_.size()) - 1; }

    template <class Visit>
    void visit(int vertex, Visit visit) const {
        const auto v = static_cast<std::size_t>(vertex);
        for (std::size_t i = first_[v]; i < first_[v + 1]; ++i)
            visit(links_[i].other, links_[i].out, links_[i].in);
    }

private:
    struct link {
        int other;
        std::int64_t out, in;
    };

    /// One link for each other end, in ascending order.
    void merge() {
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

    std::vector<std::size_t> first_; ///< of each vertex, where its links begin
    std::vector<link> links_;
};

} // namespace detail

} // namespace topo
