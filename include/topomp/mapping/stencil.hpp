// SPDX-License-Identifier: BSL-1.0
/// @file
/// With which cells around it a cell exchanges data, and how much.
#pragma once

#include <topomp/core/error.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace topo {

/// The neighbours of every cell of a grid, as steps along each dimension, each with a weight: a value.
///
/// The weight is the load of the messages in that direction, in a unit of the caller's. What one offset costs
/// is counted at the sender: a stencil need not be symmetric.
class stencil {
public:
    /// One neighbour of each cell.
    struct offset {
        std::vector<int> steps;  ///< along each dimension
        std::int64_t weight = 1; ///< load of the messages that way
        friend bool operator==(const offset&, const offset&) = default;
    };

    /// Any list of offsets. An offset that comes twice counts once with both weights.
    /// @throws argument_error if there is none, they differ in their number of dimensions, one leads nowhere,
    /// a weight is not positive, or the weights add up to more than 2^31
    explicit stencil(std::vector<offset> offsets);

    /// The neighbours along each dimension: down and up the first, then the second, ..., as MPI orders them.
    static stencil star(std::size_t dimensions);

    /// `star`, and the cells at all corners (paper 4, 3.1: `diagonal`). In two dimensions the same as
    /// `moore`.
    static stencil diagonal(std::size_t dimensions);

    /// All cells that touch a cell: 3^d - 1.
    static stencil moore(std::size_t dimensions);

    /// The same offsets with other weights.
    ///
    /// @param weights one for each offset; or one for each pair of opposite offsets, in the order in which
    /// the pairs begin; or one for each dimension (paper 4, 3.1: `multiplicity`): an offset along several
    /// dimensions then weighs as much as the lightest of them
    /// @throws argument_error if there are as many as none of these, or as in the constructor
    stencil weighted(std::span<const std::int64_t> weights) const;

    /// Of the grids that it fits.
    std::size_t dimensions() const noexcept { return offsets_.front().steps.size(); }
    /// All neighbours of a cell, in the order given.
    const std::vector<offset>& offsets() const noexcept { return offsets_; }

    /// The sum of all weights.
    std::int64_t total_weight() const;

    friend bool operator==(const stencil&, const stencil&) = default;

    /// The greatest sum of weights.
    static constexpr std::int64_t most_weight = std::int64_t{1} << 31;

private:
    [[noreturn]] static void fail(const std::string& object, const std::string& problem);

    static std::string text_of(const offset& each);

    static bool is_along_one(std::span<const int> steps);

    void add(offset next);

    /// Along one dimension first, then the others by growing number of dimensions; of two opposite offsets
    /// the one that leads down first.
    template <class Wanted>
    static stencil of(std::size_t dimensions, Wanted is_wanted);

    std::vector<offset> offsets_;
};

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/impl/stencil.ipp>
#endif
