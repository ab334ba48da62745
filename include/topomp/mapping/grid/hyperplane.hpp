// SPDX-License-Identifier: BSL-1.0
/// @file
/// Cutting the grid near its middle, where both sides are whole nodes.
#pragma once

#include <topomp/mapping/grid/boxes.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace topo::detail {

/// The hyperplanes of Hunold, von Kirchbach, Lehr, Schulz and Traeff (2020), for nodes of any sizes.
class hyperplanes {
public:
    explicit hyperplanes(const grid_problem& problem);

    node_map map() const;

private:
    struct part {
        box cells;
        int first, nodes;
    };
    struct cut {
        std::size_t dimension;
        int below;
        int node; ///< the first one above the cut
    };

    /// The dimensions of a part: the one first whose cut separates least; of equals, the largest.
    std::vector<std::size_t> preferred(const part& of) const;

    /// The node that is the first above a cut if whole nodes are below it.
    std::optional<int> node_behind(const part& of, int cells) const;

    std::optional<cut> split(const part& of) const;

    /// What cannot be cut is walked over, the least preferred dimension fastest.
    void fill(const part& of, node_map& result) const;

    const grid_problem& problem_;
    std::vector<std::int64_t> weights_;
};

inline node_map hyperplane_map(const grid_problem& problem) { return hyperplanes{problem}.map(); }

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/grid/impl/hyperplane.ipp>
#endif
