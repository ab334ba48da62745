// SPDX-License-Identifier: BSL-1.0
/// @file
/// A Cartesian grid: its dimensions, which of them are circles, and the numbers of its cells.
#pragma once

#include <topomp/core/error.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace topo {

/// How a sequence of extents is written: `50x48`.
inline std::string extents_text(std::span<const int> extents) {
    std::string text;
    for (const int each : extents)
        text.append(text.empty() ? "" : "x").append(std::to_string(each));
    return text;
}

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
    explicit grid(std::vector<int> extents, std::vector<bool> periods = {})
        : extents_(std::move(extents)), periods_(std::move(periods)) {
        if (periods_.empty()) periods_.resize(extents_.size());
        check();
        strides_.resize(extents_.size());
        for (std::size_t i = extents_.size(); i-- > 0;) {
            strides_[i] = size_;
            size_ *= extents_[i];
        }
    }

    std::size_t dimensions() const noexcept { return extents_.size(); }
    int size() const noexcept { return size_; }
    int extent(std::size_t dimension) const { return extents_[dimension]; }
    int stride(std::size_t dimension) const { return strides_[dimension]; }
    bool is_periodic(std::size_t dimension) const { return periods_[dimension]; }
    const std::vector<int>& extents() const noexcept { return extents_; }
    const std::vector<bool>& periods() const noexcept { return periods_; }

    /// The coordinates of a cell.
    std::vector<int> coordinates(int cell) const {
        std::vector<int> result(dimensions());
        for (std::size_t i = 0; i < dimensions(); ++i) {
            result[i] = cell / strides_[i];
            cell %= strides_[i];
        }
        return result;
    }

    /// The cell that is @p steps away from a cell, or `outside` beyond an edge. A period is a circle.
    int neighbour(int cell, std::span<const int> steps) const {
        int result = 0, rest = cell;
        for (std::size_t i = 0; i < dimensions(); ++i) {
            std::int64_t at = std::int64_t{rest / strides_[i]} + steps[i];
            rest %= strides_[i];
            if (at < 0 || at >= extents_[i]) {
                if (!periods_[i]) return outside;
                at %= extents_[i];
                if (at < 0) at += extents_[i];
            }
            result += static_cast<int>(at) * strides_[i];
        }
        return result;
    }

    static constexpr int outside = -1;

    friend bool operator==(const grid&, const grid&) = default;

private:
    void check() const {
        const std::string text = extents_text(extents_);
        const auto fail = [&](const std::string& problem) {
            throw argument_error("topo::grid", text.empty() ? "no extents" : text, problem);
        };
        if (extents_.empty()) fail("a grid has at least one dimension");
        if (extents_.size() > most_dimensions)
            fail("a grid has at most " + std::to_string(most_dimensions) + " dimensions");
        if (periods_.size() != extents_.size())
            fail(std::to_string(periods_.size()) + " periods for " + std::to_string(extents_.size()) +
                 " dimensions");
        std::int64_t cells = 1;
        for (const int extent : extents_) {
            if (extent < 1) fail("extent " + std::to_string(extent) + " is not positive");
            cells *= extent;
            if (cells > std::numeric_limits<int>::max())
                fail("more cells than " + std::to_string(std::numeric_limits<int>::max()) +
                     ", the most that ranks can number");
        }
    }

    std::vector<int> extents_;
    std::vector<bool> periods_;
    std::vector<int> strides_;
    int size_ = 1;
};

} // namespace topo
