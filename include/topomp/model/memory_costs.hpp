// SPDX-License-Identifier: BSL-1.0
/// @file
/// What collectives do in memory besides messages.
#pragma once

#include <algorithm>
#include <limits>

namespace topo::model {

/// Seconds that a rank needs for each byte that it copies, combines or uses for the first time, while all
/// ranks of its node do the same. Thakur, Rabenseifner and Gropp (2005) have the term gamma for combining.
struct memory_costs {
    double copy_per_byte = 0;
    double combine_per_byte = 0; ///< gamma
    /// Of memory that the process gets from the system: a page fault for each page, which also clears it.
    double fresh_per_byte = 0;
    /// Scratch buffers of at least so many bytes come from the system each time that they are allocated:
    /// glibc gives back what `free` gets from 32 MiB on (mallopt(3), M_MMAP_THRESHOLD and its dynamic limit
    /// DEFAULT_MMAP_THRESHOLD_MAX), and keeps shorter ones.
    double fresh_from = 33554432;
    double node_rate = std::numeric_limits<double>::infinity(); ///< of all ranks of a node, bytes a second
    int ranks = 1;                                              ///< of a node

    constexpr double copy(double bytes) const { return bytes * shared(copy_per_byte); }
    constexpr double combine(double bytes) const { return bytes * shared(combine_per_byte); }
    /// Seconds for a scratch buffer of `bytes` that a collective allocates for itself.
    constexpr double fresh(double bytes) const {
        return bytes >= fresh_from ? bytes * shared(fresh_per_byte) : 0;
    }
    /// Seconds a byte, whose rate the ranks of the node share.
    constexpr double shared(double per_byte) const { return std::max(per_byte, ranks / node_rate); }

    friend bool operator==(const memory_costs&, const memory_costs&) = default;
};

} // namespace topo::model
