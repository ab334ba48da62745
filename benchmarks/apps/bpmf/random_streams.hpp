// SPDX-License-Identifier: BSL-1.0
/// @file
/// Random numbers that depend on what they are for, not on who draws them: counter-based, by Random123.
#pragma once

// The second needs macros of the first.
// clang-format off
#include <Random123/philox.h>
#include <Random123/MicroURNG.hpp>
// clang-format on

#include <cstdint>

namespace bpmf {

/// A generator for the distributions of the standard library.
using stream = r123::MicroURNG<r123::Philox4x32>;

/// What random numbers are for. Streams of different purposes have nothing in common.
enum class purpose : std::uint32_t { factors, entries, held_out, start, prior, item };

/// Rows are items of one side, columns of the other.
enum class side : std::uint32_t { rows, columns };

/// The numbers for one purpose, item and iteration: any rank that asks gets the same.
/// @param number of an item or row @param turn of an iteration, or a column
inline stream stream_of(std::uint64_t seed, purpose what, side which, std::uint32_t turn,
                        std::uint32_t number) {
    const r123::Philox4x32::ctr_type counter{
        {number, turn, 2 * static_cast<std::uint32_t>(what) + static_cast<std::uint32_t>(which), 0}};
    const r123::Philox4x32::key_type key{
        {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)}};
    return {counter, key};
}

} // namespace bpmf
