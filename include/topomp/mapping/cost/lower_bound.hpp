// SPDX-License-Identifier: BSL-1.0
/// @file
/// What no mapping of a grid can cost less than.
#pragma once

#include <topomp/mapping/cost/line_sums.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace topo::detail {

/// A bound on the messages between nodes, from the shapes that a set of cells can have.
///
/// A set of s cells lies on p_i lines along dimension i, and each line that is not a full circle has one link
/// less inside the set than cells. The product of all p_i is at least s^(d-1) (Loomis and Whitney 1949). So
/// the bound is the lowest sum over all p_i that this leaves, for each size of node. Offsets along more than
/// one dimension, or longer than 1, count with a single line. Dimensions with a single cell separate nothing.
class jsum_bound {
public:
    explicit jsum_bound(const grid_problem& problem);

    /// Nothing for more than ten dimensions that may be gone round, where there are too many cases.
    std::optional<std::int64_t> operator()();

private:
    /// The lowest weight of the lines on which a set of cells lies, for each side of which it sends.
    std::int64_t least_of_lines(int cells);

    /// The same for sets with full circles in some dimensions.
    std::optional<std::int64_t> least_with_circles(int cells, const std::vector<bool>& is_circle);

    /// The lowest sum for two numbers with a product of at least @p needed. But for rounding the sum is
    /// convex in the first one: it is followed both ways from near its lowest, as long as it may be a new
    /// lowest.
    void try_two(const line_range& one, const line_range& other, std::int64_t needed, std::int64_t sum);

    /// Whether going on along an offset can lead back to where one began.
    bool comes_round(const stencil::offset& of) const;

    /// The weight of what cells would send beyond the border.
    std::int64_t missing(const stencil::offset& of) const;

    const grid_problem& problem_;
    std::vector<std::size_t> dimensions_; ///< those with more than one cell
    std::vector<std::int64_t> weights_;   ///< of both directions along each of them
    std::vector<const stencil::offset*> along_one_, others_;
    std::vector<line_range> lines_;
    int most_visits_ = 0;
    std::int64_t best_ = 0;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/cost/impl/lower_bound.ipp>
#endif
