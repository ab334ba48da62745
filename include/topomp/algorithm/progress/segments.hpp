// SPDX-License-Identifier: BSL-1.0
/// @file
/// A long message in pieces, so that levels work on different pieces at the same time.
#pragma once

#include <cstddef>

namespace topo::detail {

/// How many elements a message has and how they are cut.
struct segments {
    std::size_t count = 0; ///< elements in all
    std::size_t per_segment = 1;
    std::size_t number = 0;

    segments() = default;
    /// @param bytes of a segment; 0: a single one, as far as MPI's counts reach
    segments(std::size_t elements, std::size_t element_size, std::size_t bytes);
    /// One empty segment: a signal.
    static segments signal();

    std::size_t first(std::size_t segment) const { return segment * per_segment; }
    int length(std::size_t segment) const;
};

/// So many segments of one rank are under way at a time. Two overlap the work on one with the transfer of the
/// next; more are faster where links of different speed meet.
inline constexpr std::size_t segment_window = 4;

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/progress/impl/segments.ipp>
#endif
