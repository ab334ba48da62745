// SPDX-License-Identifier: BSL-1.0
/// @file
/// Messages of a network as a few numbers: a table of times, two rates, and what distance adds.
#pragma once

#include <topomp/model/message_cost.hpp>

#include <array>
#include <cstddef>
#include <limits>

namespace topo::model {

/// Messages between ranks of a network that has near and far ranks. All numbers can be fitted to measured
/// collectives, and a constant of this type needs no memory of its own.
///
/// | part | source |
/// | --- | --- |
/// | time of a message to a near rank by its length, which has the steps of eager and rendezvous protocols |
/// PLogP: Kielmann et al. 2000 | | time between the starts of messages of one rank: `overhead`, or their
/// bytes at `stream_rate` | LogGP: Alexandrov et al. 1995 | | the total rate of all ranks of a node,
/// `node_rate`, and the number of messages that it sends a second | max-rate model: Gropp, Olson, Samfass
/// 2016 | | longer latency to far ranks | hierarchical Hockney model, paper 1, section 6 | | less bandwidth
/// to far ranks, as links further up are shared | De Sensi et al. 2024 (Swing), section 4: congestion of far
/// exchanges |
struct network_messages {
    /// Lengths for which `seconds` has a time; between them the logarithms are interpolated, below the first
    /// the time is constant, above the last proportional to the length.
    static constexpr std::array<double, 8> lengths{64,     512,     4096,     32768,
                                                   262144, 2097152, 16777216, 134217728};

    std::array<double, 8> seconds{}; ///< until a near receiver has the message
    double overhead = 0;             ///< seconds between the starts of two short messages of one rank
    double stream_rate = std::numeric_limits<double>::infinity(); ///< of messages of one rank under way
                                                                  ///< together, bytes a second
    double node_rate = std::numeric_limits<double>::infinity();   ///< R_N: of all ranks of a node
    double node_overhead = 0; ///< seconds between the starts of two messages of one node
    double far_latency = 0;   ///< what the farthest rank adds to the latency, as a share of it
    double far_exponent = 0;  ///< the time per byte grows with this power of the distance

    /// @param flows ranks of the node that send at a time
    /// @param distance nodes between sender and receiver, in the order of the ranks
    message_cost cost(double bytes, int flows = 1, long long distance = 1) const;

    /// Seconds of a message to a near rank.
    double time(double bytes) const;

    friend bool operator==(const network_messages&, const network_messages&) = default;
};

} // namespace topo::model

#ifndef TOPOMP_COMPILED
#include <topomp/model/impl/network_messages.ipp>
#endif
