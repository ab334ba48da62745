// SPDX-License-Identifier: BSL-1.0
/// @file
/// Blocks of different lengths, and where each rank's is.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace topo {

/// Every rank's elements, one block behind the other in the order of ranks. Empty on ranks that receive
/// nothing.
template <class T>
struct gathered {
    std::vector<T> values;              ///< the elements of all ranks
    std::vector<std::size_t> counts;    ///< elements of each rank
    std::vector<std::size_t> positions; ///< where each rank's begin in `values`

    /// A rank's elements. @pre there are any blocks, and it is a rank of theirs
    std::span<const T> operator[](int rank) const {
        const auto r = static_cast<std::size_t>(rank);
        return {values.data() + positions[r], counts[r]};
    }
};

} // namespace topo
