// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/cost/links.hpp>
#include <topomp/mapping/grid/box_cuts.hpp>
#include <topomp/mapping/grid/boxes.hpp>
#include <topomp/mapping/grid/guillotine.hpp>
#include <topomp/mapping/grid/mixed_guillotine.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE guillotine::guillotine(const grid_problem& problem)
    : cells_(problem.cells), nodes_(problem.nodes), node_(problem.nodes.common_size()),
      pattern_(problem.pattern), orders_(dimension_orders(cells_.dimensions())) {}

TOPOMP_INLINE node_map guillotine::map() {
    choose_cuts();
    choices_.assign(static_cast<std::size_t>(cells_.size()), {});
    for (int state = 0; state < cells_.size(); ++state)
        if (is_needed_[static_cast<std::size_t>(state)]) solve(state);
    return filled();
}

TOPOMP_INLINE int guillotine::state_of(const std::vector<int>& extents) const {
    int state = 0;
    for (std::size_t i = 0; i < extents.size(); ++i)
        state += (extents[i] - 1) * cells_.stride(i);
    return state;
}

TOPOMP_INLINE std::vector<int> guillotine::extents_of(int state) const {
    std::vector<int> extents = cells_.coordinates(state);
    for (int& each : extents)
        ++each;
    return extents;
}

TOPOMP_INLINE int guillotine::volume_of(const std::vector<int>& extents) {
    return std::accumulate(extents.begin(), extents.end(), 1, std::multiplies<int>{});
}

TOPOMP_INLINE void guillotine::choose_cuts() {
    for (most_cuts_ = std::numeric_limits<int>::max(); !find_needed(); most_cuts_ /= 2)
        most_cuts_ = std::min(most_cuts_, 256);
}

TOPOMP_INLINE bool guillotine::find_needed() {
    is_needed_.assign(static_cast<std::size_t>(cells_.size()), false);
    is_needed_.back() = true;
    std::int64_t tried = 0;
    for (int state = cells_.size() - 1; state >= 0; --state) {
        if (!is_needed_[static_cast<std::size_t>(state)]) continue;
        const auto extents = extents_of(state);
        each_cut(extents, volume_of(extents), [&](std::size_t i, int below) {
            is_needed_[static_cast<std::size_t>(state - below * cells_.stride(i))] = true;
            is_needed_[static_cast<std::size_t>(state - (extents[i] - below) * cells_.stride(i))] = true;
            ++tried;
        });
        if (tried > cut_budget && most_cuts_ > 1) return false;
    }
    return true;
}

TOPOMP_INLINE void guillotine::solve(int state) {
    const auto extents = extents_of(state);
    const int volume = volume_of(extents);
    if (volume == node_) return;
    choice best;
    best.cost = std::numeric_limits<std::int64_t>::max();
    std::vector<cut_load> loads;
    std::size_t dimension = extents.size();
    each_cut(extents, volume, [&](std::size_t i, int below) {
        if (i != dimension) loads = cut_loads(pattern_, extents, dimension = i);
        const std::int64_t cost =
            cost_of_cut(loads, extents[i], below) +
            choices_[static_cast<std::size_t>(state - (extents[i] - below) * cells_.stride(i))].cost +
            choices_[static_cast<std::size_t>(state - below * cells_.stride(i))].cost;
        if (cost < best.cost) best = {cost, static_cast<std::int16_t>(i), -1, below};
    });
    // What cannot be cut has to be walked over, whatever it takes.
    const bool is_cut = best.dimension >= 0;
    if (!is_cut || (volume <= most_walked * node_ && walked_ + volume <= walk_budget))
        try_walks(extents, best);
    choices_[static_cast<std::size_t>(state)] = best;
}

TOPOMP_INLINE void guillotine::try_walks(const std::vector<int>& extents, choice& best) {
    const grid part{extents};
    const grid_links links{part, pattern_};
    for (std::size_t i = 0; i < orders_.size(); ++i) {
        node_map map(static_cast<std::size_t>(part.size()));
        int done = 0;
        walk(part, whole_box(part), {orders_[i], true, false},
             [&](int cell) { map[static_cast<std::size_t>(cell)] = done++ / node_; });
        walked_ += part.size();
        const std::int64_t cost = cost_of(links, map, part.size() / node_).jsum;
        if (cost < best.cost) best = {cost, -1, static_cast<std::int16_t>(i), 0};
    }
}

TOPOMP_INLINE node_map guillotine::filled() const {
    node_map map(static_cast<std::size_t>(cells_.size()));
    node_filler filler{nodes_, map};
    std::vector<box> open{whole_box(cells_)};
    while (!open.empty()) {
        const box part = std::move(open.back());
        open.pop_back();
        const choice& chosen = choices_[static_cast<std::size_t>(state_of(part.extents))];
        if (chosen.dimension >= 0) {
            auto [below, above] =
                cut_box(cells_, part, static_cast<std::size_t>(chosen.dimension), chosen.below);
            open.push_back(std::move(above));
            open.push_back(std::move(below));
            continue;
        }
        const auto order = chosen.order < 0
                               ? walk_order{orders_.front(), false, false}
                               : walk_order{orders_[static_cast<std::size_t>(chosen.order)], true, false};
        walk(cells_, part, order, [&](int cell) { filler.add(cell); });
    }
    return map;
}

TOPOMP_INLINE std::optional<node_map> guillotine_map(const grid_problem& problem) {
    if (problem.nodes.common_size() > 0) return guillotine{problem}.map();
    return mixed_guillotine_map(problem);
}

} // namespace topo::detail
