// SPDX-License-Identifier: BSL-1.0
/// @file
/// Nodes of a few different sizes, by their sizes.
#pragma once

#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
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

    static bool are_few(const node_list& nodes) {
        std::vector<int> sizes = nodes.sizes();
        std::ranges::sort(sizes);
        return std::ranges::distance(sizes.begin(), std::ranges::unique(sizes).begin()) <=
               static_cast<std::ptrdiff_t>(most);
    }

    /// @pre `are_few`
    explicit node_classes(const node_list& nodes) {
        std::vector<int> sizes = nodes.sizes();
        std::ranges::sort(sizes);
        const auto count = [&](int size) { return std::ranges::count(nodes.sizes(), size); };
        sizes.erase(std::ranges::unique(sizes).begin(), sizes.end());
        // The most frequent size first: how many of it are needed follows from the others.
        std::ranges::stable_sort(sizes, std::ranges::greater{}, count);
        for (const int size : sizes) {
            std::vector<int>& same = nodes_.emplace_back();
            for (int node = 0; node < nodes.count(); ++node)
                if (nodes.size(node) == size) same.push_back(node);
            all_[sizes_.size()] = static_cast<int>(same.size());
            sizes_.push_back(size);
        }
    }

    std::size_t count() const { return sizes_.size(); }
    int size(std::size_t which) const { return sizes_[which]; }
    /// The nodes of a class, in their order.
    const std::vector<int>& nodes(std::size_t which) const { return nodes_[which]; }
    /// How many there are of each.
    const mix& all() const { return all_; }

    static int number(const mix& of) { return std::accumulate(of.begin(), of.end(), 0); }
    std::int64_t cells(const mix& of) const {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < count(); ++i)
            sum += std::int64_t{of[i]} * sizes_[i];
        return sum;
    }
    /// A number of its own for each mix.
    std::int64_t number_of(const mix& of) const {
        std::int64_t number = 0;
        for (std::size_t i = count(); i-- > 1;)
            number = number * (all_[i] + 1) + of[i];
        return number;
    }

    /// Those nodes out of `from` that have so many cells together, in all ways. @cost `ways`
    std::vector<mix> mixes_of(const mix& from, std::int64_t cells) const {
        std::vector<mix> found;
        mix next{};
        find(from, cells, count() - 1, next, found);
        return found;
    }
    /// How many numbers of nodes of all but the most frequent size there are to look at.
    std::int64_t ways(const mix& from) const {
        std::int64_t product = 1;
        for (std::size_t i = 1; i < count(); ++i)
            product *= from[i] + 1;
        return product;
    }

private:
    void find(const mix& from, std::int64_t cells, std::size_t which, mix& next,
              std::vector<mix>& found) const {
        const int size = sizes_[which];
        if (which == 0) {
            if (cells % size != 0 || cells / size > from[0]) return;
            next[0] = static_cast<int>(cells / size);
            found.push_back(next);
            return;
        }
        for (int taken = 0; taken <= from[which] && std::int64_t{taken} * size <= cells; ++taken) {
            next[which] = taken;
            find(from, cells - std::int64_t{taken} * size, which - 1, next, found);
        }
        next[which] = 0;
    }

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
