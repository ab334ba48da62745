// SPDX-License-Identifier: BSL-1.0
/// @file
/// Parameters of usual networks, for machines on which nothing was measured.
#pragma once

#include <topomp/model/memory_costs.hpp>
#include <topomp/model/network_messages.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace topo::model {

/// A network by name: its messages, and what its nodes do in memory.
struct usual_network {
    std::string_view name;       ///< by which `find_usual_network` finds it
    std::string_view provenance; ///< where the numbers are from
    network_messages messages;   ///< between two nodes
    memory_costs memory;         ///< of a node
};

namespace detail {

/// Hockney's line for a network of which only a latency and a rate are known.
constexpr network_messages line(double latency, double rate, double overhead) {
    network_messages result;
    for (std::size_t i = 0; i < result.lengths.size(); ++i)
        result.seconds[i] = latency + result.lengths[i] / rate;
    result.overhead = overhead;
    result.stream_rate = result.node_rate = rate;
    return result;
}

/// Of what TCP carries in frames of 1500 bytes: 1448 of 1538 bytes on the wire.
constexpr double tcp_rate(double bits_per_second) { return bits_per_second / 8 * 1448 / 1538; }

/// The memory of nodes on which nothing was measured.
inline constexpr memory_costs unmeasured_memory{1e-10, 1e-10, 2.5e-10};

/// Not measured: the line rate less TCP's and Ethernet's headers (RFC 793, IEEE 802.3), and the latency that
/// the kernel's TCP usually has between two hosts, of which only the order of magnitude is meant.
constexpr usual_network ethernet(std::string_view name, double latency, double bits_per_second) {
    return {name, "line rate of TCP, assumed latency", line(latency, tcp_rate(bits_per_second), 5e-6),
            unmeasured_memory};
}

} // namespace detail

/// `scripts/bench-models --data benchmarks/data/real_machines.csv`, machine `leonardo`: 344 points, which the
/// command names. One rank a node; its node_rate is that of the ranks of one node on 64 nodes.
inline constexpr usual_network hdr_infiniband{
    "hdr_infiniband",
    "Leonardo (InfiniBand HDR, dragonfly+, Open MPI), fitted by scripts/bench-models",
    {{2.31e-6, 2.57e-6, 3.71e-6, 5.57e-6, 3.65e-5, 1.12e-4, 5.01e-4, 1.09e-2},
     5.1e-7,
     1.77e10,
     2.88e10,
     5.1e-7,
     1.08,
     0.015},
    {8.3e-11, 1.03e-10, 3.9e-10}};

/// The same command, machine `lumi`: 242 points.
inline constexpr usual_network slingshot{
    "slingshot",
    "LUMI (Slingshot, dragonfly, Cray MPICH), fitted by scripts/bench-models",
    {{3.42e-6, 3.77e-6, 6.02e-6, 1.04e-5, 5.17e-5, 3.82e-4, 2.12e-3, 1.48e-2},
     7.0e-7,
     8.2e9,
     4.44e10,
     3.1e-8,
     0.55,
     0.030},
    {3.8e-11, 9.5e-11, 3.2e-11}};

/// Not measured: see `detail::ethernet`.
inline constexpr usual_network ethernet_10 = detail::ethernet("ethernet_10", 2.5e-5, 1e10);
/// The same for 25 Gbit/s.
inline constexpr usual_network ethernet_25 = detail::ethernet("ethernet_25", 2e-5, 2.5e10);
/// The same for 100 Gbit/s.
inline constexpr usual_network ethernet_100 = detail::ethernet("ethernet_100", 1.5e-5, 1e11);

/// The messages inside a node that simulations charge (docs/benchmarks_method.md).
inline constexpr usual_network shared_memory{"shared_memory", "what simulations charge inside a node",
                                             detail::line(8.5e-7, 1e10, 3e-7), detail::unmeasured_memory};

/// All of them.
inline constexpr std::array usual_networks{hdr_infiniband, slingshot,    ethernet_10,
                                           ethernet_25,    ethernet_100, shared_memory};

/// The one of that name; nullptr: there is none.
constexpr const usual_network* find_usual_network(std::string_view name) {
    for (const usual_network& each : usual_networks)
        if (each.name == name) return &each;
    return nullptr;
}

} // namespace topo::model
