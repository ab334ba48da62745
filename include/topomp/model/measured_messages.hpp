// SPDX-License-Identifier: BSL-1.0
/// @file
/// What was measured about the messages of a level, as a model and as other models' parameters.
#pragma once

#include <topomp/model/hockney.hpp>
#include <topomp/model/log_gp.hpp>
#include <topomp/model/max_rate.hpp>
#include <topomp/model/message_cost.hpp>
#include <topomp/model/plogp.hpp>
#include <topomp/model/table.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace topo::model {

/// Messages between the members of a level: PLogP's tables, and what a member's ranks reach together.
struct measured_messages {
    /// What `flows` ranks of one member reach when they all send to ranks of another, bytes a second.
    struct rate {
        int flows = 1;
        double bytes_per_second = 0;
        friend bool operator==(const rate&, const rate&) = default;
    };

    /// Half a round trip.
    struct trip {
        double bytes = 0, seconds = 0;
        friend bool operator==(const trip&, const trip&) = default;
    };

    plogp single;              ///< one at a time
    std::vector<trip> trips{}; ///< by ascending length; none: as PLogP's model has it, latency and gap
    std::vector<rate> rates{}; ///< by ascending flows; none where only one was measured

    /// What all ranks of a member together have at most: R_N of the max-rate model.
    double member_rate() const {
        return rates.size() < 2 ? std::numeric_limits<double>::infinity()
                                : std::ranges::max(rates, {}, &rate::bytes_per_second).bytes_per_second;
    }
    message_cost cost(double bytes, int flows = 1) const {
        const double shared = flows * bytes / member_rate();
        return {std::max(single.gap(bytes), shared), std::max(time(bytes), single.latency() + shared),
                single.cost(bytes).busy};
    }

    /// Seconds of a message alone.
    double time(double bytes) const {
        return trips.empty() ? single.cost(bytes).time
                             : detail::read_table(trips, bytes, [](const trip& at) { return at.seconds; });
    }

    /// Hockney's parameters: the line through the shortest and the longest message that was measured.
    hockney as_hockney() const {
        const double first = single.rows().front().bytes, last = single.rows().back().bytes;
        const double least = time(first);
        const double slope = last > first ? (time(last) - least) / (last - first) : 0;
        return {least - first * slope, slope};
    }
    /// LogGP's: overhead and gap of the shortest message, G of the longest.
    log_gp as_log_gp() const {
        const auto& least = single.rows().front();
        const double overhead = (least.send_overhead + least.receive_overhead) / 2;
        return {std::max(0.0, time(least.bytes) - 2 * overhead), overhead, single.gap(least.bytes),
                as_hockney().seconds_per_byte};
    }
    /// The max-rate model's.
    max_rate as_max_rate() const {
        const hockney line = as_hockney();
        return {line.latency,
                line.seconds_per_byte > 0 ? 1 / line.seconds_per_byte
                                          : std::numeric_limits<double>::infinity(),
                member_rate()};
    }

    friend bool operator==(const measured_messages&, const measured_messages&) = default;
};

} // namespace topo::model
