// SPDX-License-Identifier: BSL-1.0
/// @file
/// A Cartesian grid: its dimensions, which of them are circles, and the numbers of its cells.
#pragma once

#include <topomp/core/error.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace topo {

/// How a sequence of extents is written: `50x48`.
std::string extents_text(std::span<const int> extents);

/// A Cartesian grid of cells with numbers in row-major order, as MPI numbers the ranks of its grids: a value.
///
/// ```
///   grid{{2, 3}}    0 1 2
///                   3 4 5    cell 5 has coordinates 1, 2
/// ```
class grid {
public:
    /// So many dimensions at most: more than those with an extent above 1 that an `int` can count.
    static constexpr std::size_t most_dimensions = 32;

    /// @param extents cells along each dimension, at least 1 each
    /// @param periods whether the last cell of a dimension has the first one for a neighbour; empty: none
    /// @throws argument_error if there is no dimension, an extent is not positive, the number of cells is
    /// beyond `int`, or there is not a period for each dimension
    explicit grid(std::vector<int> extents, std::vector<bool> periods = {});

    /// How many dimensions there are.
    std::size_t dimensions() const noexcept { return extents_.size(); }
    /// The number of cells.
    int size() const noexcept { return size_; }
    /// Cells along a dimension.
    int extent(std::size_t dimension) const { return extents_[dimension]; }
    /// How far the numbers of neighbours along a dimension are apart.
    int stride(std::size_t dimension) const { return strides_[dimension]; }
    /// Whether a dimension is a circle.
    bool is_periodic(std::size_t dimension) const { return periods_[dimension]; }
    /// Cells along each dimension.
    const std::vector<int>& extents() const noexcept { return extents_; }
    /// Whether each dimension is a circle.
    const std::vector<bool>& periods() const noexcept { return periods_; }

    /// The coordinates of a cell.
    std::vector<int> coordinates(int cell) const;

    /// The cell that is @p steps away from a cell, or `outside` beyond an edge. A period is a circle.
    int neighbour(int cell, std::span<const int> steps) const;

    /// No cell: what lies beyond an edge.
    static constexpr int outside = -1;

    friend bool operator==(const grid&, const grid&) = default;

private:
    void check() const;

    std::vector<int> extents_;
    std::vector<bool> periods_;
    std::vector<int> strides_;
    int size_ = 1;
};

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/impl/grid.ipp>
#endif
