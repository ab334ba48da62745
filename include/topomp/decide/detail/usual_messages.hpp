// SPDX-License-Identifier: BSL-1.0
/// @file
/// What messages cost where nothing else is known: on the platforms of the tuned table.
#pragma once

#include <topomp/model/log_gp.hpp>
#include <topomp/model/message_cost.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

namespace topo::detail {

/// Bytes of one operand a second that a rank combines, and bytes a second that it copies, as
/// scripts/calibrate measures them: at least.
inline constexpr double usual_combine_rate = 20e9, usual_receive_rate = 20e9;

/// LogGP's messages, with the total rate of a node's ranks limited by its link, and with what receivers copy.
struct usual_messages {
    static constexpr double unlimited = std::numeric_limits<double>::infinity();

    model::log_gp single;
    double node_rate = unlimited; ///< bytes a second
    bool overlap = false; ///< whether a rank's messages are under way at the same time, each at the full rate
    double received_below = 0;   ///< receivers copy shorter messages, longer ones arrive where they belong
    double receive_per_byte = 0; ///< seconds of the receiver
    double buffered_below = 0;   ///< shorter ones go through a buffer in the memory of the receiver's node

    constexpr model::message_cost cost(double bytes, int flows = 1) const {
        model::message_cost alone = single.cost(bytes);
        if (overlap) alone.gap = std::max(single.gap, single.overhead);
        if (bytes < received_below) alone.busy += bytes * receive_per_byte;
        if (bytes < buffered_below) alone.passes = 2;
        const double shared = flows * bytes * alone.passes / node_rate;
        alone.gap = std::max(alone.gap, shared);
        alone.time = std::max(alone.time, single.latency + shared);
        return alone;
    }
    /// The same if receivers copy nothing.
    constexpr usual_messages without_copies() const { return {single, node_rate, overlap}; }
    /// The same with so many times the latency, and so many times the time of a byte.
    constexpr usual_messages slower_by(double latency, double per_byte) const {
        usual_messages made = *this;
        made.single.latency *= latency;
        made.single.seconds_per_byte *= per_byte;
        made.node_rate /= per_byte;
        return made;
    }
};

/// The parameters of scripts/tune's platforms: see benchmarks/platforms/ntw32x16.xml, of whose nodes most are
/// behind another switch. Adapters write longer messages to where they belong (Open MPI's openib: 12 KiB).
inline constexpr usual_messages usual_between_nodes{
    {2e-6, 3e-7, 3e-7, 8e-11}, 12.5e9, false, 12288, 1 / usual_receive_rate};
/// A flag of 0.25 us and copies at 10 GB/s, as scripts/calibrate measures them. Receivers copy: messages of
/// 64 KiB and more out of the sender's memory, as an MPI does it that can read another process's, shorter
/// ones out of a buffer.
inline constexpr usual_messages usual_inside_node{
    {2.5e-7, 3e-7, 3e-7, 1e-10}, usual_messages::unlimited, true, usual_messages::unlimited, 1e-10, 65536};
/// Cache lines of another socket take about twice as long as those of the own one, and two sockets have two
/// links of 19 to 21 GB/s in each direction (QPI at 9.6 GT/s, UPI at 10.4 GT/s), which carry one message
/// after the other.
inline constexpr usual_messages usual_between_numa_nodes = [] {
    usual_messages made = usual_inside_node;
    made.single.latency *= 2;
    made.node_rate = 40e9;
    made.overlap = false;
    return made;
}();

/// What they are called, and where they are from.
struct usual_costs {
    std::string_view name, provenance;
};
inline constexpr usual_costs usual_network_costs{
    "ntw32x16", "2.6 us and 12.5 GB/s between nodes, of benchmarks/platforms/ntw32x16.xml"};
inline constexpr usual_costs usual_node_costs{
    "a usual node", "0.85 us and 10 GB/s for a message, 0.25 us for a signal, by scripts/calibrate"};

/// Another network than the usual one: how many times the latency, and the time of a byte.
struct other_messages {
    double latency = 1, per_byte = 1;           ///< between nodes
    double numa_latency = 1, numa_per_byte = 1; ///< between NUMA nodes
};

/// The networks that are assumed where nothing says what messages take: 10 Gbit/s with 10 us, and sockets
/// with one link of 12.8 GB/s (QPI at 6.4 GT/s) of which some are two hops away; 200 Gbit/s with 1 us, and
/// twice the links between sockets.
inline constexpr std::array<other_messages, 2> others_than_usual{{{5, 10, 2, 3}, {0.5, 0.5, 1, 0.5}}};

/// Seconds for a byte of each rank of a node, if all of these copy at the same time. The rate of a node is 5
/// GB/s for each rank: about what STREAM reaches on a core where all are busy, from two sockets of 12 cores
/// with four channels of DDR4-2133 each (136 GB/s) to two of 96 with twelve of DDR5-4800 (922 GB/s). It is
/// bounded by what two sockets of four such channels reach, and of six of DDR4-2666 (256 GB/s).
constexpr double usual_seconds_if_all_copy(double ranks) {
    return ranks / std::clamp(ranks * 5e9, 100e9, 200e9);
}

/// NUMA nodes of a machine with that rate, at most: two of each socket.
inline constexpr int usual_numa_nodes = 4;

} // namespace topo::detail
