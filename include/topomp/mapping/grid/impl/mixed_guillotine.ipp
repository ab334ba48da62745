// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/cost/links.hpp>
#include <topomp/mapping/grid/box_cuts.hpp>
#include <topomp/mapping/grid/boxes.hpp>
#include <topomp/mapping/grid/mixed_guillotine.hpp>
#include <topomp/mapping/grid/node_classes.hpp>
#include <topomp/mapping/grid/strips.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE mixed_guillotine::mixed_guillotine(const grid_problem& problem)
    : cells_(problem.cells), pattern_(problem.pattern), classes_(problem.nodes),
      orders_(dimension_orders(cells_.dimensions())) {}

TOPOMP_INLINE node_map mixed_guillotine::map() {
    // First without costs: which boxes do cuts lead to, and how many cuts can be afforded?
    for (most_cuts_ = 256; !find_choices(); most_cuts_ /= 4) {
    }
    is_for_costs_ = true;
    find_choices();
    return filled();
}

TOPOMP_INLINE std::int64_t mixed_guillotine::key_of(const part& of) const {
    std::int64_t state = 0;
    for (std::size_t i = 0; i < of.extents.size(); ++i)
        state += std::int64_t{of.extents[i] - 1} * cells_.stride(i);
    return classes_.number_of(of.nodes) * cells_.size() + state;
}

TOPOMP_INLINE bool mixed_guillotine::find_choices() {
    choices_.clear();
    tried_ = walked_ = 0;
    return solve({cells_.extents(), classes_.all()}).has_value();
}

TOPOMP_INLINE std::optional<std::int64_t> mixed_guillotine::solve(const part& whole) {
    const int nodes = node_classes::number(whole.nodes);
    if (nodes == 1) return 0;
    const std::int64_t key = key_of(whole);
    if (const auto known = choices_.find(key); known != choices_.end()) return known->second.cost;
    choice best;
    best.cost = std::numeric_limits<std::int64_t>::max();
    if (!try_cuts(whole, best)) return std::nullopt;
    if (!is_for_costs_) {
        choices_.emplace(key, choice{});
        return 0;
    }
    const bool must = best.kind == division::none;
    if (nodes <= most_walked) try_walks(whole, best);
    const bool is_first = nodes == node_classes::number(classes_.all());
    if (nodes > most_walked && (must || is_first || nodes <= most_in_strips)) try_strips(whole, best);
    choices_.emplace(key, best);
    return best.cost;
}

TOPOMP_INLINE bool mixed_guillotine::try_cuts(const part& whole, choice& best) {
    const int volume = whole.volume();
    for (std::size_t i = 0; i < whole.extents.size(); ++i) {
        const auto loads = cut_loads(pattern_, whole.extents, i);
        const int extent = whole.extents[i], layer = volume / extent;
        // A cut beyond the middle is one before it, seen from the other end.
        int left = most_cuts_;
        for (int below = extent / 2; below > 0 && left > 0; --below) {
            const auto mixes = classes_.mixes_of(whole.nodes, std::int64_t{layer} * below);
            tried_ += classes_.ways(whole.nodes) / 64;
            if (mixes.empty()) continue;
            --left;
            if (!try_mixes(whole, i, below, cost_of_cut(loads, extent, below), mixes, best)) return false;
        }
    }
    return true;
}

TOPOMP_INLINE bool mixed_guillotine::try_mixes(const part& whole, std::size_t dimension, int below,
                                               std::int64_t cost, const std::vector<mix>& mixes,
                                               choice& best) {
    for (std::size_t i = 0; i < mixes.size() && i < static_cast<std::size_t>(most_cuts_); ++i) {
        const mix& lower = i % 2 == 0 ? mixes[i / 2] : mixes[mixes.size() - 1 - i / 2];
        if (++tried_ > cut_budget && most_cuts_ > 1 && !is_for_costs_) return false;
        if (cost >= best.cost && is_for_costs_) return true;
        part under = whole, over = whole;
        under.nodes = lower;
        under.extents[dimension] = below;
        over.extents[dimension] -= below;
        for (std::size_t j = 0; j < lower.size(); ++j)
            over.nodes[j] -= lower[j];
        const auto cost_under = solve(under);
        const auto cost_over = cost_under ? solve(over) : std::nullopt;
        if (!cost_over) return false;
        const std::int64_t sum = cost + *cost_under + *cost_over;
        if (sum < best.cost)
            best = {sum, division::cut, static_cast<std::int16_t>(dimension), 0, 0, below, lower};
    }
    return true;
}

TOPOMP_INLINE std::vector<std::size_t> mixed_guillotine::nodes_in_order(const mix& nodes, int number,
                                                                        bool is_any) {
    std::vector<std::size_t> order;
    for (std::size_t which = 0; which < nodes.size(); ++which)
        order.insert(order.end(), static_cast<std::size_t>(nodes[which]), which);
    if (is_any) {
        for (; number > 0; --number)
            if (!std::ranges::next_permutation(order).found) return {};
    } else if (number == 1) {
        std::ranges::reverse(order);
    } else if (number > 1) {
        return {};
    }
    return order;
}

TOPOMP_INLINE node_list mixed_guillotine::sizes_of(const std::vector<std::size_t>& order) const {
    std::vector<int> sizes;
    for (const std::size_t which : order)
        sizes.push_back(classes_.size(which));
    return node_list{sizes};
}

TOPOMP_INLINE node_map mixed_guillotine::walked(const grid& shape, std::size_t order,
                                                const node_list& nodes) const {
    node_map map(static_cast<std::size_t>(shape.size()));
    node_filler filler{nodes, map};
    walk(shape, whole_box(shape), {orders_[order], true, false}, [&](int cell) { filler.add(cell); });
    return map;
}

TOPOMP_INLINE node_map mixed_guillotine::in_strips(const grid& shape, const node_list& nodes) const {
    const grid_problem inside{shape, pattern_, nodes};
    return strips{inside}.map(shape.size() <= most_cells_in_strips ? 8 : 1);
}

TOPOMP_INLINE void mixed_guillotine::try_walks(const part& whole, choice& best) {
    const int volume = whole.volume();
    const grid cells{whole.extents};
    const grid_links links{cells, pattern_};
    for (int number = 0;; ++number) {
        const auto order = nodes_in_order(whole.nodes, number, true);
        if (order.empty()) return;
        const node_list nodes = sizes_of(order);
        for (std::size_t i = 0; i < orders_.size(); ++i) {
            if (best.kind != division::none && walked_ + volume > walk_budget) return;
            walked_ += volume;
            const std::int64_t cost = cost_of(links, walked(cells, i, nodes), nodes.count()).jsum;
            if (cost < best.cost)
                best = {cost,
                        division::walk,
                        0,
                        static_cast<std::int16_t>(i),
                        static_cast<std::int16_t>(number),
                        0,
                        {}};
        }
    }
}

TOPOMP_INLINE void mixed_guillotine::try_strips(const part& whole, choice& best) {
    const std::int64_t visits = 9 * std::int64_t{whole.volume()};
    const grid cells{whole.extents};
    const grid_links links{cells, pattern_};
    for (int number = 0;; ++number) {
        const auto order = nodes_in_order(whole.nodes, number, false);
        if (order.empty()) return;
        if (best.kind != division::none && walked_ + visits > walk_budget) return;
        walked_ += visits;
        const node_list nodes = sizes_of(order);
        const std::int64_t cost = cost_of(links, in_strips(cells, nodes), nodes.count()).jsum;
        if (cost < best.cost) best = {cost, division::strips, 0, 0, static_cast<std::int16_t>(number), 0, {}};
    }
}

TOPOMP_INLINE node_map mixed_guillotine::filled() const {
    node_map map(static_cast<std::size_t>(cells_.size()));
    node_supply supply{classes_};
    std::vector<std::pair<box, mix>> open{{whole_box(cells_), classes_.all()}};
    while (!open.empty()) {
        const auto [where, nodes] = std::move(open.back());
        open.pop_back();
        choice chosen;
        if (node_classes::number(nodes) > 1) chosen = choices_.at(key_of({where.extents, nodes}));
        if (chosen.kind == division::cut) {
            auto [below, above] =
                cut_box(cells_, where, static_cast<std::size_t>(chosen.dimension), chosen.below);
            mix rest = nodes;
            for (std::size_t i = 0; i < rest.size(); ++i)
                rest[i] -= chosen.nodes_below[i];
            open.emplace_back(std::move(above), rest);
            open.emplace_back(std::move(below), chosen.nodes_below);
            continue;
        }
        fill(where, nodes, chosen, supply, map);
    }
    return map;
}

TOPOMP_INLINE void mixed_guillotine::fill(const box& where, const mix& nodes, const choice& chosen,
                                          node_supply& supply, node_map& map) const {
    const grid shape{where.extents};
    const auto order = nodes_in_order(nodes, chosen.order_of_nodes, chosen.kind == division::walk);
    const node_list list = sizes_of(order);
    const node_map local = chosen.kind == division::strips
                               ? in_strips(shape, list)
                               : walked(shape, static_cast<std::size_t>(chosen.order_of_dimensions), list);
    std::vector<int> taken;
    for (const std::size_t which : order)
        taken.push_back(supply.next(which));
    int cell = 0;
    walk(cells_, where, row_major(cells_.dimensions()), [&](int at) {
        map[static_cast<std::size_t>(at)] =
            taken[static_cast<std::size_t>(local[static_cast<std::size_t>(cell++)])];
    });
}

TOPOMP_INLINE std::optional<node_map> mixed_guillotine_map(const grid_problem& problem) {
    constexpr std::int64_t most_ways = 4096;
    if (!node_classes::are_few(problem.nodes)) return std::nullopt;
    if (const node_classes classes{problem.nodes}; classes.ways(classes.all()) > most_ways)
        return std::nullopt;
    return mixed_guillotine{problem}.map();
}

} // namespace topo::detail
