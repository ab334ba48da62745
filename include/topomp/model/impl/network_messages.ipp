// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/model/message_cost.hpp>
#include <topomp/model/network_messages.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace topo::model {

TOPOMP_INLINE double network_messages::time(double bytes) const {
    if (bytes <= lengths.front()) return seconds.front();
    if (bytes >= lengths.back()) return seconds.back() * bytes / lengths.back();
    std::size_t above = 1;
    while (lengths[above] < bytes)
        ++above;
    const double share = std::log(bytes / lengths[above - 1]) / std::log(lengths[above] / lengths[above - 1]);
    return seconds[above - 1] * std::pow(seconds[above] / seconds[above - 1], share);
}

TOPOMP_INLINE message_cost network_messages::cost(double bytes, int flows, long long distance) const {
    const auto away = static_cast<double>(std::max(1LL, distance));
    const double farther = std::pow(away, far_exponent), others = flows - 1;
    const double shared = flows * bytes / node_rate;
    const double start = seconds.front() * (1 + far_latency * (1 - 1 / away)) + others * node_overhead;
    const double stream = std::max(time(bytes) - seconds.front(), shared) * farther;
    const double next =
        std::max({overhead, bytes / stream_rate * farther, shared * farther, flows * node_overhead});
    return {next, start + stream, 2 * overhead};
}

} // namespace topo::model
