// SPDX-License-Identifier: BSL-1.0
/// @file
/// MPI's arrays of numbers as topomp's of sizes, in memory that a thread keeps from call to call.
#pragma once

#include "counts.hpp"
#include <topomp/algorithm/progress/scratch_buffer.hpp>

#include <cstddef>
#include <vector>

namespace topo::preload {

/// The lengths and positions of blocks.
struct block_arrays {
    std::vector<std::size_t> counts, positions;

    /// @param given none of them negative
    /// @param displacements where blocks begin, which may be before the buffer; null: one behind the other
    void set(number_list given, number_list displacements, int ranks) {
        counts.clear();
        positions.clear();
        std::size_t next = 0;
        for (int rank = 0; rank < ranks; ++rank) {
            counts.push_back(static_cast<std::size_t>(given[rank]));
            // A negative one wraps around here and back where it is multiplied by the extent.
            positions.push_back(
                displacements.is_null()
                    ? next
                    : static_cast<std::size_t>(static_cast<std::ptrdiff_t>(displacements[rank])));
            next += counts.back();
        }
    }
    std::size_t elements() const {
        std::size_t sum = 0;
        for (const std::size_t each : counts)
            sum += each;
        return sum;
    }
};

/// What one call needs at most.
struct kept_arrays {
    block_arrays first, second;
    detail::scratch_buffer temporary;

    static kept_arrays& of_thread() {
        static thread_local kept_arrays mine;
        return mine;
    }
};

} // namespace topo::preload
