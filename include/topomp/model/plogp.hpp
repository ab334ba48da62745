// SPDX-License-Identifier: BSL-1.0
/// @file
/// The parameterised LogP model: overheads and gap are tables by the length of the message.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/model/message_cost.hpp>

#include <vector>

namespace topo::model {

/// A message of m bytes occupies its sender for `gap(m)`, of which `send_overhead(m)` is the processor's
/// time, and arrives after `latency + gap(m)`. @see Kielmann, Bal, Verstoep 2000; paper 1, section 6
class plogp {
public:
    /// What was measured with messages of one length. Times in seconds.
    struct row {
        double bytes = 0;            ///< of the message
        double send_overhead = 0;    ///< o_s: the sender's processor
        double receive_overhead = 0; ///< o_r: the receiver's processor, after the message has arrived
        double gap = 0;              ///< g: between the starts of two messages

        friend bool operator==(const row&, const row&) = default;
    };

    plogp() : plogp(0, {row{}}) {}

    /// @param rows by ascending length, at least one
    /// @throws argument_error if there is none, or they do not ascend
    plogp(double latency, std::vector<row> rows);

    double latency() const { return latency_; } ///< L, seconds
    /// What was measured, by ascending length.
    const std::vector<row>& rows() const { return rows_; }

    /// Seconds of the sender's processor, between rows a straight line.
    double send_overhead(double bytes) const { return read(bytes, &row::send_overhead); }
    /// Seconds of the receiver's processor.
    double receive_overhead(double bytes) const { return read(bytes, &row::receive_overhead); }
    /// Seconds between the starts of two messages.
    double gap(double bytes) const;

    /// A message of so many bytes; the number of flows changes nothing.
    message_cost cost(double bytes, int = 1) const;

    friend bool operator==(const plogp&, const plogp&) = default;

private:
    double read(double bytes, double row::*column) const;

    double latency_;
    std::vector<row> rows_;
};

} // namespace topo::model

#ifndef TOPOMP_COMPILED
#include <topomp/model/impl/plogp.ipp>
#endif
