// SPDX-License-Identifier: BSL-1.0
/// @file
/// Every node the same box of cells: the one of paper 3, and the best one.
#pragma once

#include <topomp/mapping/mapping_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace topo::detail {

/// The boxes in row-major order, as nodes.
node_map map_of_boxes(const grid& cells, const std::vector<int>& extents);

/// The prime factors of a number, the largest first.
std::vector<int> prime_factors(int number);

/// Paper 3's box of a node: the primes of its size, the largest first, each to the dimension in which the box
/// is smallest so far of those that it still divides. There always is one, as the nodes fill the grid.
/// Nothing if nodes differ in size.
std::optional<std::vector<int>> gropp_box(const grid& cells, const node_list& nodes);

/// What a tiling with equal boxes costs, without walking over the cells.
class box_cost {
public:
    explicit box_cost(const grid_problem& problem) : problem_(problem) {}

    /// @return exact, but for `jmax` with offsets longer than the box
    mapping_cost operator()(const std::vector<int>& extents) const;

private:
    /// How many of the coordinates from `first` to before `end` still are one after a step.
    int staying(std::size_t dimension, int step, int first, int end) const;

    /// How many coordinates of a box are in the box after a step.
    std::int64_t kept(std::size_t dimension, int step, int in_box) const;

    /// The most that a box sends: of the first, a middle and the last in each dimension; of more than four
    /// dimensions the middle one alone.
    std::int64_t most_sent(const std::vector<int>& extents, std::vector<int>& at,
                           std::size_t dimension) const;

    std::int64_t sent(const std::vector<int>& extents, const std::vector<int>& at) const;

    const grid_problem& problem_;
};

/// The best box of a node's size of which the grid is a whole number; the first of equals.
/// Nothing if nodes differ in size.
std::optional<std::vector<int>> best_box(const grid_problem& problem);

std::optional<node_map> gropp_map(const grid_problem& problem);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/grid/impl/equal_boxes.ipp>
#endif
