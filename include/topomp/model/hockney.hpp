// SPDX-License-Identifier: BSL-1.0
/// @file
/// Hockney's model: a latency and a time per byte.
#pragma once

#include <topomp/model/message_cost.hpp>

namespace topo::model {

/// A message of m bytes takes `latency + m seconds_per_byte`, and its sender does nothing else meanwhile.
/// @see Hockney 1994; paper 1, section 6
struct hockney {
    double latency = 0;          ///< alpha, seconds
    double seconds_per_byte = 0; ///< beta

    /// A message of so many bytes; the number of flows changes nothing.
    constexpr message_cost cost(double bytes, int = 1) const {
        const double seconds = latency + bytes * seconds_per_byte;
        return {seconds, seconds};
    }
};

} // namespace topo::model
