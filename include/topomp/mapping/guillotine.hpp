// SPDX-License-Identifier: BSL-1.0
/// @file
/// The best way of cutting a grid through from side to side, again and again, until each part is a node's.
#pragma once

#include <topomp/mapping/box_cuts.hpp>
#include <topomp/mapping/boxes.hpp>
#include <topomp/mapping/links.hpp>
#include <topomp/mapping/mapping_problem.hpp>
#include <topomp/mapping/mixed_guillotine.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace topo::detail {

/// A dynamic programme over the sizes of boxes: what a box costs is the lowest sum of a cut and of what is
/// left on either side, both whole nodes. A box of two to four nodes may be walked over instead, row by row,
/// each begun where the one before it ended. For nodes of one size, `mixed_guillotine` is for others; periods
/// are not looked at.
///
/// Memory for one number and one cut per cell; as many cuts are tried as a budget allows, those near the
/// middle first.
class guillotine {
public:
    explicit guillotine(const grid_problem& problem)
        : cells_(problem.cells), nodes_(problem.nodes), node_(problem.nodes.common_size()),
          pattern_(problem.pattern), orders_(dimension_orders(cells_.dimensions())) {}

    node_map map() {
        choose_cuts();
        choices_.assign(static_cast<std::size_t>(cells_.size()), {});
        for (int state = 0; state < cells_.size(); ++state)
            if (is_needed_[static_cast<std::size_t>(state)]) solve(state);
        return filled();
    }

private:
    static constexpr int most_walked = 4;
    static constexpr std::int64_t cut_budget = 60'000'000, walk_budget = 20'000'000;

    /// How a box is divided: cut in a dimension, walked over in an order, or not at all.
    struct choice {
        std::int64_t cost = 0;
        std::int16_t dimension = -1, order = -1;
        int below = 0;
    };

    /// The number of a box's extents: that of the cell at its far corner, were it at the grid's.
    int state_of(const std::vector<int>& extents) const {
        int state = 0;
        for (std::size_t i = 0; i < extents.size(); ++i)
            state += (extents[i] - 1) * cells_.stride(i);
        return state;
    }

    std::vector<int> extents_of(int state) const {
        std::vector<int> extents = cells_.coordinates(state);
        for (int& each : extents)
            ++each;
        return extents;
    }

    /// Calls `visit(dimension, below)` for the cuts of a box, from the middle on.
    template <class Visit>
    void each_cut(const std::vector<int>& extents, int volume, Visit visit) const {
        for (std::size_t i = 0; i < extents.size(); ++i) {
            const int step = node_ / std::gcd(node_, volume / extents[i]);
            int below = extents[i] / 2 / step * step;
            for (int tried = 0; below > 0 && tried < most_cuts_; ++tried, below -= step)
                visit(i, below);
        }
    }

    static int volume_of(const std::vector<int>& extents) {
        return std::accumulate(extents.begin(), extents.end(), 1, std::multiplies<int>{});
    }

    /// Finds the boxes that cuts lead to, with as many cuts as the budget allows.
    void choose_cuts() {
        for (most_cuts_ = std::numeric_limits<int>::max(); !find_needed(); most_cuts_ /= 2)
            most_cuts_ = std::min(most_cuts_, 256);
    }

    bool find_needed() {
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

    void solve(int state) {
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

    void try_walks(const std::vector<int>& extents, choice& best) {
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

    node_map filled() const {
        node_map map(static_cast<std::size_t>(cells_.size()));
        node_filler filler{nodes_, map};
        std::vector<box> open{whole_box(cells_)};
        while (!open.empty()) {
            const box part = std::move(open.back());
            open.pop_back();
            const choice& how = choices_[static_cast<std::size_t>(state_of(part.extents))];
            if (how.dimension >= 0) {
                auto [below, above] =
                    cut_box(cells_, part, static_cast<std::size_t>(how.dimension), how.below);
                open.push_back(std::move(above));
                open.push_back(std::move(below));
                continue;
            }
            const auto order = how.order < 0
                                   ? walk_order{orders_.front(), false, false}
                                   : walk_order{orders_[static_cast<std::size_t>(how.order)], true, false};
            walk(cells_, part, order, [&](int cell) { filler.add(cell); });
        }
        return map;
    }

    const grid& cells_;
    const node_list& nodes_;
    int node_;
    const stencil& pattern_;
    std::vector<std::vector<std::size_t>> orders_;
    int most_cuts_ = 0;
    std::int64_t walked_ = 0;
    std::vector<bool> is_needed_;
    std::vector<choice> choices_;
};

/// Nothing if nodes have more than six sizes, or so many of several that they have too many mixes.
inline std::optional<node_map> guillotine_map(const grid_problem& problem) {
    if (problem.nodes.common_size() > 0) return guillotine{problem}.map();
    return mixed_guillotine_map(problem);
}

} // namespace topo::detail
