// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/grid/node_classes.hpp>
#include <topomp/mapping/mapping_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE bool node_classes::are_few(const node_list& nodes) {
    std::vector<int> sizes = nodes.sizes();
    std::ranges::sort(sizes);
    // Not std::ranges::unique: Clang 14 and 15 do not compile that of GCC 12's library.
    return std::distance(sizes.begin(), std::unique(sizes.begin(), sizes.end())) <=
           static_cast<std::ptrdiff_t>(most);
}

TOPOMP_INLINE node_classes::node_classes(const node_list& nodes) {
    std::vector<int> sizes = nodes.sizes();
    std::ranges::sort(sizes);
    const auto count = [&](int size) { return std::ranges::count(nodes.sizes(), size); };
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
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

TOPOMP_INLINE std::int64_t node_classes::cells(const mix& of) const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < count(); ++i)
        sum += std::int64_t{of[i]} * sizes_[i];
    return sum;
}

TOPOMP_INLINE std::int64_t node_classes::number_of(const mix& of) const {
    std::int64_t number = 0;
    for (std::size_t i = count(); i-- > 1;)
        number = number * (all_[i] + 1) + of[i];
    return number;
}

TOPOMP_INLINE std::vector<node_classes::mix> node_classes::mixes_of(const mix& from,
                                                                    std::int64_t cells) const {
    std::vector<mix> found;
    mix next{};
    find(from, cells, count() - 1, next, found);
    return found;
}

TOPOMP_INLINE std::int64_t node_classes::ways(const mix& from) const {
    constexpr std::int64_t enough = std::int64_t{1} << 31; // times a number of nodes it still is a number
    std::int64_t product = 1;
    for (std::size_t i = 1; i < count() && product < enough; ++i)
        product *= std::int64_t{from[i]} + 1;
    return product;
}

TOPOMP_INLINE void node_classes::find(const mix& from, std::int64_t cells, std::size_t which, mix& next,
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

} // namespace topo::detail
