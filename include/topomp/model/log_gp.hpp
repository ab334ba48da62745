// SPDX-License-Identifier: BSL-1.0
/// @file
/// The LogP model and its extension to long messages, LogGP.
#pragma once

#include <topomp/model/message_cost.hpp>

#include <algorithm>

namespace topo::model {

/// A message of a word costs its sender and its receiver `overhead`, is `latency` under way, and the next may
/// start after `gap`. A longer message is as many words. @see Culler et al. 1993; paper 1, section 6
struct log_p {
    double latency = 0;    ///< L, seconds
    double overhead = 0;   ///< o, seconds, at each end
    double gap = 0;        ///< g, seconds between the starts of two words
    double word_bytes = 8; ///< w

    /// A message of so many bytes; the number of flows changes nothing.
    message_cost cost(double bytes, int = 1) const;
};

/// As in LogP, but a message of m bytes goes as one, whose bytes behind the first take `seconds_per_byte`
/// each. @see Alexandrov et al. 1995
struct log_gp {
    double latency = 0;          ///< L, seconds
    double overhead = 0;         ///< o, seconds, at each end
    double gap = 0;              ///< g, seconds between the starts of two short messages
    double seconds_per_byte = 0; ///< G

    /// A message of so many bytes; the number of flows changes nothing.
    constexpr message_cost cost(double bytes, int = 1) const {
        const double stream = std::max(0.0, bytes - 1) * seconds_per_byte;
        return {std::max(gap, overhead) + stream, 2 * overhead + latency + stream, 2 * overhead};
    }
};

} // namespace topo::model

#ifndef TOPOMP_COMPILED
#include <topomp/model/impl/log_gp.ipp>
#endif
