// SPDX-License-Identifier: BSL-1.0
/// @file
/// The max-rate model: the injection rate of all ranks of a node has a limit.
#pragma once

#include <topomp/model/message_cost.hpp>

#include <algorithm>
#include <limits>

namespace topo::model {

/// k ranks of a node that each send m bytes at a time take `latency + k m / min(node_rate, k rank_rate)`.
/// With an unlimited node this is Hockney's model. @see paper 3, section 2; Gropp, Olson, Samfass 2016
struct max_rate {
    double latency = 0;   ///< alpha, seconds
    double rank_rate = 1; ///< R_C: what one rank reaches, bytes a second
    double node_rate = std::numeric_limits<double>::infinity(); ///< R_N: what all ranks of a node reach

    /// A message of so many bytes while `flows` ranks of the node send at a time.
    constexpr message_cost cost(double bytes, int flows = 1) const {
        const double seconds = latency + flows * bytes / std::min(node_rate, flows * rank_rate);
        return {seconds, seconds};
    }
};

} // namespace topo::model
