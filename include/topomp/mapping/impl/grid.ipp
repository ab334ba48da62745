// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/mapping/grid.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace topo {

TOPOMP_INLINE std::string extents_text(std::span<const int> extents) {
    std::string text;
    for (const int each : extents)
        text.append(text.empty() ? "" : "x").append(std::to_string(each));
    return text;
}

TOPOMP_INLINE grid::grid(std::vector<int> extents, std::vector<bool> periods)
    : extents_(std::move(extents)), periods_(std::move(periods)) {
    if (periods_.empty()) periods_.resize(extents_.size());
    check();
    strides_.resize(extents_.size());
    for (std::size_t i = extents_.size(); i-- > 0;) {
        strides_[i] = size_;
        size_ *= extents_[i];
    }
}

TOPOMP_INLINE std::vector<int> grid::coordinates(int cell) const {
    std::vector<int> result(dimensions());
    for (std::size_t i = 0; i < dimensions(); ++i) {
        result[i] = cell / strides_[i];
        cell %= strides_[i];
    }
    return result;
}

TOPOMP_INLINE int grid::neighbour(int cell, std::span<const int> steps) const {
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

TOPOMP_INLINE void grid::check() const {
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

} // namespace topo
