// SPDX-License-Identifier: BSL-1.0
/// @file
/// The best sequence of guillotine cuts of a grid until each part is a node's.
#pragma once

#include <topomp/mapping/mapping_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
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
    explicit guillotine(const grid_problem& problem);

    node_map map();

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
    int state_of(const std::vector<int>& extents) const;

    std::vector<int> extents_of(int state) const;

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

    static int volume_of(const std::vector<int>& extents);

    /// Finds the boxes that cuts lead to, with as many cuts as the budget allows.
    void choose_cuts();

    bool find_needed();

    void solve(int state);

    void try_walks(const std::vector<int>& extents, choice& best);

    node_map filled() const;

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
std::optional<node_map> guillotine_map(const grid_problem& problem);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/grid/impl/guillotine.ipp>
#endif
