// SPDX-License-Identifier: BSL-1.0
/// @file
/// Growing a set of vertices by the one that is linked best, again and again.
#pragma once

#include <topomp/mapping/graph_links.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

/// Takes free vertices one by one: always the one after which the set has the lightest links to free
/// vertices; of equals the one with the lowest number.
class growing {
public:
    /// No vertex is free.
    explicit growing(const graph_links& links);

    void release(int vertex) { at(vertex).is_free = true; }
    bool is_free(int vertex) const { return vertices_[static_cast<std::size_t>(vertex)].is_free; }

    /// Begins a new set, next to nothing.
    void begin();

    /// The vertex to take next; nothing if no free one is linked with the set.
    std::optional<int> best() const;

    /// Takes a vertex, which need not be free nor linked with the set.
    void take(int vertex);

private:
    struct candidate {
        std::int64_t push = 0; ///< the weight of its links with free vertices, less those with the set
        bool is_free = false, is_next = false;
    };

    candidate& at(int vertex) { return vertices_[static_cast<std::size_t>(vertex)]; }

    /// Updates a free vertex when a vertex linked with it has joined the set.
    /// @param weight of their link @param was_free whether the one that joined was free before
    void attract(int vertex, std::int64_t weight, bool was_free);

    const graph_links& links_;
    std::vector<candidate> vertices_;
    std::set<std::pair<std::int64_t, int>> front_;
};

/// The orders of a graph's regions for `bisection`: by number, and grown from the first vertex and from one
/// that is far from it.
class graph_orders {
public:
    explicit graph_orders(const graph_links& links);

    template <class IsIn, class Each>
    void each(std::span<const int> region, IsIn is_in, Each each) {
        numbers_.assign(region.begin(), region.end());
        std::ranges::sort(numbers_);
        each(numbers_);
        grow(numbers_.front());
        each(sequence_);
        grow(farthest(is_in));
        each(sequence_);
    }

private:
    void grow(int seed);

    /// One of the vertices to which the most links lead from the first one.
    template <class IsIn>
    int farthest(IsIn is_in) {
        ++searches_;
        sequence_.assign(1, numbers_.front());
        reached_by_[static_cast<std::size_t>(numbers_.front())] = searches_;
        for (std::size_t i = 0; i < sequence_.size(); ++i)
            links_.visit(sequence_[i], [&](int other, std::int64_t, std::int64_t) {
                if (!is_in(other) || reached_by_[static_cast<std::size_t>(other)] == searches_) return;
                reached_by_[static_cast<std::size_t>(other)] = searches_;
                sequence_.push_back(other);
            });
        return sequence_.back();
    }

    const graph_links& links_;
    growing set_;
    std::vector<int> reached_by_; ///< of each vertex, the last search that came by
    int searches_ = 0;
    std::vector<int> numbers_, sequence_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/graph/impl/growth.ipp>
#endif
