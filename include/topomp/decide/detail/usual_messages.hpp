// SPDX-License-Identifier: BSL-1.0
/// @file
/// What messages cost where nothing else is known: on the platforms of the tuned table.
#pragma once

#include <topomp/model/log_gp.hpp>
#include <topomp/model/message_cost.hpp>

#include <algorithm>
#include <limits>

namespace topo::detail {

/// LogGP's messages, with the total rate of a node's ranks limited by its link.
struct usual_messages {
    model::log_gp single;
    double node_rate = std::numeric_limits<double>::infinity(); ///< bytes a second
    bool overlap = false; ///< whether a rank's messages are under way at the same time, each at the full rate
    bool is_copied = false; ///< whether its bytes take the receiver's time

    constexpr model::message_cost cost(double bytes, int flows = 1) const {
        const double shared = flows * bytes / node_rate;
        model::message_cost alone = single.cost(bytes);
        if (overlap) alone.gap = std::max(single.gap, single.overhead);
        if (is_copied) alone.busy += bytes * single.seconds_per_byte;
        return {std::max(alone.gap, shared), std::max(alone.time, single.latency + shared), alone.busy};
    }
};

/// The parameters of scripts/tune's platforms: see benchmarks/platforms/ntw32x16.xml, of whose nodes most are
/// behind another switch.
inline constexpr usual_messages usual_between_nodes{{2e-6, 3e-7, 3e-7, 8e-11}, 12.5e9};
/// A flag of 0.25 us and copies at 10 GB/s, as scripts/calibrate measures them. Receivers copy.
inline constexpr usual_messages usual_inside_node{
    {2.5e-7, 3e-7, 3e-7, 1e-10}, std::numeric_limits<double>::infinity(), true, true};
/// Bytes a second of all ranks of a node: about what STREAM reaches on two sockets with six channels of
/// DDR4-2666 each, which have 256 GB/s.
inline constexpr double usual_memory_rate = 200e9;
/// NUMA nodes of a machine with that rate, at most: two of each socket.
inline constexpr int usual_numa_nodes = 4;

} // namespace topo::detail
