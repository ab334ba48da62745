// SPDX-License-Identifier: BSL-1.0
/// @file
/// The extents of a grid that the caller left open.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace topo::detail {

/// Calls `visit(extents)` for each factorization of a number into extents where @p open holds 0, and as
/// @p open has it elsewhere; the greatest first extent first. At most @p most ways.
template <class Visit>
void each_grid(const std::vector<int>& open, int cells, int most, Visit visit) {
    std::vector<int> extents = open, places;
    for (std::size_t i = 0; i < open.size(); ++i) {
        if (open[i] == 0)
            places.push_back(static_cast<int>(i));
        else if (cells % open[i] == 0)
            cells /= open[i];
        else
            return;
    }
    if (places.empty()) {
        if (cells == 1) visit(extents);
        return;
    }
    std::vector<int> divisors;
    for (int each = 1; each <= cells / each; ++each)
        if (cells % each == 0) {
            divisors.push_back(each);
            if (each != cells / each) divisors.push_back(cells / each);
        }
    std::ranges::sort(divisors, std::ranges::greater{});
    const auto search = [&](const auto& again, std::size_t place, int left) -> void {
        const auto dimension = static_cast<std::size_t>(places[place]);
        if (place + 1 == places.size()) {
            extents[dimension] = left;
            if (most-- > 0) visit(extents);
            return;
        }
        for (const int each : divisors)
            if (left % each == 0 && most > 0) {
                extents[dimension] = each;
                again(again, place + 1, left / each);
            }
    };
    search(search, 0, cells);
}

inline constexpr int most_grids = 100'000;

/// The possible grids nearest to what was wanted, for a message: `49x49 or 343x7`.
std::string nearest_grids(const std::vector<int>& wanted, int cells);

/// Chooses the extents that are 0 together with the mapping (Niethammer and Rabenseifner 2019).
///
/// The cells are taken for parts of one cube of data: the more cells along a dimension, the larger the face
/// of each, so the load of a dimension is its weight times its extent. What crosses nodes counts four times.
/// Of equals the grid with the greatest first extent is taken, as `MPI_Dims_create` does.
class dims_choice {
public:
    dims_choice(std::vector<int> open, std::vector<bool> periods, const stencil& pattern,
                const node_list& nodes);

    /// @cost some mappings, fewer of many cells
    std::vector<int> extents() const;

private:
    /// The stencil with each dimension's weights times its extent, so far reduced that they fit.
    stencil scaled(const std::vector<int>& extents) const;

    /// Of all cells together, on nodes and between them.
    std::int64_t total_load(const std::vector<int>& extents) const;

    /// The lowest total of the candidates that take least time.
    static std::int64_t quick_cost(const grid_problem& problem);

    std::vector<int> open_;
    std::vector<bool> periods_;
    const stencil& pattern_;
    const node_list& nodes_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/grid/impl/choose_dims.ipp>
#endif
