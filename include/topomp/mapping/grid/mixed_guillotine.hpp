// SPDX-License-Identifier: BSL-1.0
/// @file
/// The best cuts from side to side for nodes of a few sizes.
#pragma once

#include <topomp/mapping/grid/boxes.hpp>
#include <topomp/mapping/grid/node_classes.hpp>
#include <topomp/mapping/grid/strips.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace topo::detail {

/// A dynamic programme over the sizes of boxes and over which nodes share them: what a box costs is the
/// lowest sum of a cut and of what is left on either side. A box of two to four nodes may be walked over
/// instead, in any order of their sizes, and one of up to twelve in strips, as is a box that has no cut
/// between whole nodes. Periods are not looked at.
///
/// @cost as many cuts and walks are tried as budgets allow, cuts near the middle first
class mixed_guillotine {
public:
    explicit mixed_guillotine(const grid_problem& problem);

    node_map map();

private:
    using mix = node_classes::mix;
    static constexpr int most_walked = 4, most_in_strips = 12;
    static constexpr int most_cells_in_strips = 1 << 14; ///< of which several divisions are tried
    static constexpr std::int64_t cut_budget = 300'000, walk_budget = 3'000'000;

    enum class division : signed char { none, cut, walk, strips };

    /// How a box is divided: cut in a dimension, walked over in an order of dimensions and one of nodes, in
    /// strips with an order of nodes, or not at all.
    struct choice {
        std::int64_t cost = 0;
        division kind = division::none;
        std::int16_t dimension = 0, order_of_dimensions = 0, order_of_nodes = 0;
        int below = 0;
        mix nodes_below{};
    };

    /// A box, of which only the size matters, and its nodes.
    struct part {
        std::vector<int> extents;
        mix nodes;
        int volume() const { return box{0, extents}.volume(); }
    };

    std::int64_t key_of(const part& of) const;

    /// @return whether the budget of cuts was enough; a single cut in each dimension is always tried
    bool find_choices();

    /// The lowest cost of a box, or nothing if the budget is used up.
    std::optional<std::int64_t> solve(const part& whole);

    bool try_cuts(const part& whole, choice& best);

    /// Which nodes are below a cut: if there are many choices, those with the fewest and the most of a size
    /// first.
    bool try_mixes(const part& whole, std::size_t dimension, int below, std::int64_t cost,
                   const std::vector<mix>& mixes, choice& best);

    /// The classes of a box's nodes in one of the orders in which they are tried; nothing behind the last.
    /// @param is_any whether all orders are, or only classes one behind the other from either end
    static std::vector<std::size_t> nodes_in_order(const mix& nodes, int number, bool is_any);

    node_list sizes_of(const std::vector<std::size_t>& order) const;

    /// @param order of dimensions
    node_map walked(const grid& shape, std::size_t order, const node_list& nodes) const;
    node_map in_strips(const grid& shape, const node_list& nodes) const;

    void try_walks(const part& whole, choice& best);

    void try_strips(const part& whole, choice& best);

    node_map filled() const;

    /// Repeats what was tried on a box, where it is in the grid.
    void fill(const box& where, const mix& nodes, const choice& chosen, node_supply& supply,
              node_map& map) const;

    const grid& cells_;
    const stencil& pattern_;
    node_classes classes_;
    std::vector<std::vector<std::size_t>> orders_;
    int most_cuts_ = 0;
    bool is_for_costs_ = false;
    std::int64_t tried_ = 0, walked_ = 0;
    std::unordered_map<std::int64_t, choice> choices_;
};

std::optional<node_map> mixed_guillotine_map(const grid_problem& problem);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/grid/impl/mixed_guillotine.ipp>
#endif
