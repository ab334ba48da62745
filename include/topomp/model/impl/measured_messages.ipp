// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/model/hockney.hpp>
#include <topomp/model/log_gp.hpp>
#include <topomp/model/max_rate.hpp>
#include <topomp/model/measured_messages.hpp>
#include <topomp/model/message_cost.hpp>
#include <topomp/model/table.hpp>

#include <algorithm>
#include <limits>

namespace topo::model {

TOPOMP_INLINE double measured_messages::member_rate() const {
    return rates.size() < 2 ? std::numeric_limits<double>::infinity()
                            : std::ranges::max(rates, {}, &rate::bytes_per_second).bytes_per_second;
}

TOPOMP_INLINE message_cost measured_messages::cost(double bytes, int flows) const {
    const double shared = flows * bytes / member_rate();
    return {std::max(single.gap(bytes), shared), std::max(time(bytes), single.latency() + shared),
            single.cost(bytes).busy};
}

TOPOMP_INLINE double measured_messages::time(double bytes) const {
    return trips.empty() ? single.cost(bytes).time
                         : detail::read_table(trips, bytes, [](const trip& at) { return at.seconds; });
}

TOPOMP_INLINE hockney measured_messages::as_hockney() const {
    const double first = single.rows().front().bytes, last = single.rows().back().bytes;
    const double least = time(first);
    const double slope = last > first ? (time(last) - least) / (last - first) : 0;
    return {least - first * slope, slope};
}

TOPOMP_INLINE log_gp measured_messages::as_log_gp() const {
    const auto& least = single.rows().front();
    const double overhead = (least.send_overhead + least.receive_overhead) / 2;
    return {std::max(0.0, time(least.bytes) - 2 * overhead), overhead, single.gap(least.bytes),
            as_hockney().seconds_per_byte};
}

TOPOMP_INLINE max_rate measured_messages::as_max_rate() const {
    const hockney line = as_hockney();
    return {line.latency,
            line.seconds_per_byte > 0 ? 1 / line.seconds_per_byte : std::numeric_limits<double>::infinity(),
            member_rate()};
}

} // namespace topo::model
