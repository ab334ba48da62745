// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/graph/growth.hpp>
#include <topomp/mapping/graph_links.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE growing::growing(const graph_links& links)
    : links_(links), vertices_(static_cast<std::size_t>(links.size())) {}

TOPOMP_INLINE void growing::begin() {
    for (const auto& [push, vertex] : front_)
        at(vertex).is_next = false;
    front_.clear();
}

TOPOMP_INLINE std::optional<int> growing::best() const {
    if (front_.empty()) return std::nullopt;
    return front_.begin()->second;
}

TOPOMP_INLINE void growing::take(int vertex) {
    candidate& taken = at(vertex);
    if (taken.is_next) front_.erase({taken.push, vertex});
    taken.is_next = false;
    const bool was_free = std::exchange(taken.is_free, false);
    links_.visit(vertex, [&](int other, std::int64_t out, std::int64_t in) {
        if (is_free(other)) attract(other, out + in, was_free);
    });
}

TOPOMP_INLINE void growing::attract(int vertex, std::int64_t weight, bool was_free) {
    candidate& next = at(vertex);
    if (next.is_next) {
        front_.erase({next.push, vertex});
        next.push -= was_free ? 2 * weight : weight;
    } else {
        next.is_next = true;
        next.push = -weight;
        links_.visit(vertex, [&](int other, std::int64_t out, std::int64_t in) {
            if (is_free(other)) next.push += out + in;
        });
    }
    front_.insert({next.push, vertex});
}

TOPOMP_INLINE graph_orders::graph_orders(const graph_links& links)
    : links_(links), set_(links), reached_by_(static_cast<std::size_t>(links.size())) {}

TOPOMP_INLINE void graph_orders::grow(int seed) {
    for (const int vertex : numbers_)
        set_.release(vertex);
    set_.begin();
    sequence_.clear();
    std::size_t next = 0;
    for (int vertex = seed;; vertex = set_.best().value_or(numbers_[next])) {
        set_.take(vertex);
        sequence_.push_back(vertex);
        if (sequence_.size() == numbers_.size()) return;
        while (!set_.is_free(numbers_[next]))
            ++next;
    }
}

} // namespace topo::detail
