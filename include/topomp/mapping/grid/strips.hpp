// SPDX-License-Identifier: BSL-1.0
/// @file
/// Cutting the grid into strips about as wide as a node's part should be, and walking along them.
#pragma once

#include <topomp/mapping/mapping_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace topo::detail {

/// The stencil strips of Hunold, von Kirchbach, Lehr, Schulz and Traeff (2020), with the dimension along
/// which they run and their widths chosen from what a box of a node's size would cost.
class strips {
public:
    explicit strips(const grid_problem& problem);

    /// The best of the @p tries divisions that promise most. @cost linear in cells times tries
    node_map map(std::size_t tries) const;

private:
    struct division {
        wide_integer estimate = 0;
        std::size_t along = 0;
        std::vector<int> strips; ///< their number in each dimension, 1 along them
    };

    /// What a node sends across each face of its part of a strip, in parts of 1/256.
    wide_integer estimate(const division& of) const;

    std::vector<division> promising(std::size_t tries) const;

    /// Strip after strip, each begun where the one before it ended.
    node_map filled(const division& kind) const;

    const grid_problem& problem_;
    std::vector<std::int64_t> weights_;
};

/// @cost linear in cells, with more divisions tried of few
node_map strips_map(const grid_problem& problem);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/grid/impl/strips.ipp>
#endif
