// SPDX-License-Identifier: BSL-1.0
/// @file
/// Nodes of a few different sizes, by their sizes.
#pragma once

#include <topomp/mapping/mapping_problem.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace topo::detail {

/// How many nodes there are of each size: a machine of more than six sizes has no such description.
class node_classes {
public:
    static constexpr std::size_t most = 6;

    /// Nodes of each class.
    using mix = std::array<int, most>;

    static bool are_few(const node_list& nodes);

    /// @pre `are_few`
    explicit node_classes(const node_list& nodes);

    std::size_t count() const { return sizes_.size(); }
    int size(std::size_t which) const { return sizes_[which]; }
    /// The nodes of a class, in their order.
    const std::vector<int>& nodes(std::size_t which) const { return nodes_[which]; }
    /// How many there are of each.
    const mix& all() const { return all_; }

    static int number(const mix& of) { return std::accumulate(of.begin(), of.end(), 0); }
    std::int64_t cells(const mix& of) const;
    /// A number of its own for each mix.
    std::int64_t number_of(const mix& of) const;

    /// All subsets of the nodes in `from` whose cells sum to so many. @cost `ways`
    std::vector<mix> mixes_of(const mix& from, std::int64_t cells) const;
    /// How many numbers of nodes of all but the most frequent size there are to look at.
    std::int64_t ways(const mix& from) const;

private:
    void find(const mix& from, std::int64_t cells, std::size_t which, mix& next,
              std::vector<mix>& found) const;

    std::vector<int> sizes_;
    std::vector<std::vector<int>> nodes_;
    mix all_{};
};

/// Gives out the nodes of each class one after the other.
class node_supply {
public:
    explicit node_supply(const node_classes& classes) : classes_(classes) {}

    int next(std::size_t which) { return classes_.nodes(which)[taken_[which]++]; }

private:
    const node_classes& classes_;
    std::array<std::size_t, node_classes::most> taken_{};
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/grid/impl/node_classes.ipp>
#endif
