// SPDX-License-Identifier: BSL-1.0
/// @file
/// A part of the grid for the nodes of each size, in equal boxes.
#pragma once

#include <topomp/mapping/grid/boxes.hpp>
#include <topomp/mapping/grid/node_classes.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace topo::detail {

/// Cuts a grid from side to side until each part belongs to the nodes of one size, and gives each of these
/// the best box: as where a machine has a partition with accelerators and one without. Periods are not looked
/// at.
class mixed_boxes {
public:
    explicit mixed_boxes(const grid_problem& problem) : problem_(problem), classes_(problem.nodes) {}

    /// Nothing if there are no such cuts and boxes.
    std::optional<node_map> map();

private:
    static constexpr int most_tilings = 400; ///< that are looked for: there may be many of many dimensions

    /// A part that is cut in two, or the boxes of one class.
    struct division {
        std::int64_t cost = 0;
        std::size_t dimension = 0;
        int below = 0;
        std::unique_ptr<division> lower, upper;
        std::size_t which = 0;
        std::vector<int> box_extents;
    };

    /// The nodes of some classes, a bit each.
    node_classes::mix nodes_of(unsigned classes) const;

    std::optional<division> solve(const std::vector<int>& extents, unsigned classes);

    std::optional<division> tiled(const std::vector<int>& extents, unsigned only);

    void fill(const box& where, const division& kind, node_map& map) const;

    const grid_problem& problem_;
    node_classes classes_;
    int tilings_ = 0;
};

/// Nothing if nodes have more than six sizes, or boxes do not fill the grid.
std::optional<node_map> box_map(const grid_problem& problem);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/grid/impl/mixed_boxes.ipp>
#endif
