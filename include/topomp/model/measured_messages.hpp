// SPDX-License-Identifier: BSL-1.0
/// @file
/// The measured messages of a level, as a model and as other models' parameters.
#pragma once

#include <topomp/model/hockney.hpp>
#include <topomp/model/log_gp.hpp>
#include <topomp/model/max_rate.hpp>
#include <topomp/model/message_cost.hpp>
#include <topomp/model/plogp.hpp>

#include <vector>

namespace topo::model {

/// Messages between the members of a level: PLogP's tables, and the total rate of a member's ranks.
struct measured_messages {
    /// The total rate of `flows` ranks of one member that send to ranks of another, bytes a second.
    struct rate {
        int flows = 1;               ///< ranks that send at a time
        double bytes_per_second = 0; ///< of all of them
        friend bool operator==(const rate&, const rate&) = default;
    };

    /// Half a round trip.
    struct trip {
        double bytes = 0;   ///< of the message
        double seconds = 0; ///< of half a round trip
        friend bool operator==(const trip&, const trip&) = default;
    };

    plogp single;              ///< one at a time
    std::vector<trip> trips{}; ///< by ascending length; none: as PLogP's model has it, latency and gap
    std::vector<rate> rates{}; ///< by ascending flows; none where only one was measured

    /// The greatest total rate of all ranks of a member: R_N of the max-rate model.
    double member_rate() const;
    /// A message of so many bytes while `flows` ranks of the member send at a time.
    message_cost cost(double bytes, int flows = 1) const;

    /// Seconds of a message alone.
    double time(double bytes) const;

    /// Hockney's parameters: the line through the shortest and the longest message that was measured.
    hockney as_hockney() const;
    /// LogGP's: overhead and gap of the shortest message, G of the longest.
    log_gp as_log_gp() const;
    /// The max-rate model's.
    max_rate as_max_rate() const;

    friend bool operator==(const measured_messages&, const measured_messages&) = default;
};

} // namespace topo::model

#ifndef TOPOMP_COMPILED
#include <topomp/model/impl/measured_messages.ipp>
#endif
