// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a simulation charges for real nodes: receivers that copy, operations that combine, and memory that
/// all ranks of a node share.
#pragma once

#include "agreed_start.hpp"
#include <topomp/memory/detail/simulated.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef SMPI_HELPERS_H
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Host.hpp>
#include <simgrid/s4u/Link.hpp>
#endif

namespace topo_bench {

/// In bytes a second, but for `end`.
struct node_charges {
    double receive = 0; ///< a receiver copies a message out of the MPI's buffers
    double combine = 0; ///< an operation, in bytes of one operand
    double end = 0;     ///< seconds that each message costs its receiver besides

    /// Reads GB/s of a receiver, GB/s of an operation and microseconds of an end: `20:20:0.3`.
    static node_charges read(const std::string& text) {
        node_charges rates;
        char first = 0, second = 0;
        std::istringstream in{text};
        in >> rates.receive >> first >> rates.combine >> second >> rates.end;
        if (!in || !in.eof() || first != ':' || second != ':' || rates.receive <= 0 || rates.combine <= 0)
            throw std::runtime_error("--charged wants GB/s of a receiver and of an operation, and us of a "
                                     "message's end, as in 20:20:0.3, not " +
                                     text);
        return {rates.receive * 1e9, rates.combine * 1e9, rates.end * 1e-6};
    }
};

#ifdef SMPI_HELPERS_H

namespace simulated {

/// Longer messages to another node go straight into the receiver's memory (Open MPI's openib: 12 KiB).
inline constexpr std::size_t eager_between_nodes = 12288;

inline double combine_rate = 0; // SimGrid gives each rank a copy of its own

inline void add(void* left, void* right, int* count, MPI_Datatype*) {
    const auto number = static_cast<std::size_t>(*count);
    const auto* const from = static_cast<const std::uint64_t*>(left);
    auto* const to = static_cast<std::uint64_t*>(right);
    std::transform(from, from + number, to, to, [](auto a, auto b) { return a + b; });
    // From the MPI's code as from the library's: SimGrid measures no computation here.
    sg_actor_sleep_for(static_cast<double>(number * sizeof *to) / combine_rate);
}

/// Messages inside a host: each as fast as before, all together as fast as the host's memory.
inline void limit_memory(simgrid::s4u::Host& host) {
    constexpr double cross_traffic = 1.05; // SimGrid adds a twentieth for what goes the other way
    const double all = host.get_speed() * host.get_core_count() * cross_traffic;
    std::vector<simgrid::s4u::Link*> links;
    double latency = 0;
    host.route_to(&host, links, &latency);
    for (auto* link : links) {
        const double one = link->get_bandwidth() * cross_traffic;
        link->set_sharing_policy(simgrid::s4u::Link::SharingPolicy::NONLINEAR,
                                 [one, all](double, int messages) { return std::min(messages * one, all); });
    }
}

inline double receive(const node_charges& rates, std::size_t bytes, bool is_inside) {
    const auto length = static_cast<double>(bytes);
    if (!is_inside && bytes > eager_between_nodes) return rates.end;
    if (!is_inside || bytes < topo::detail::memory_rates::shared_from)
        return rates.end + length / rates.receive;
    topo::detail::move_in_host(length, rates.receive);
    return rates.end;
}

} // namespace simulated

/// From here on: the node's charges. @return an operation that adds numbers, which takes its time
/// @collective over `comm`, which is of all ranks
inline MPI_Op charge_nodes(const node_charges& rates, MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        for (auto* host : simgrid::s4u::Engine::get_instance()->get_all_hosts())
            simulated::limit_memory(*host);
        smpi_register_op_cost_callback(
            SmpiOperation::RECV,
            [rates](std::size_t bytes, simgrid::s4u::Host* from, simgrid::s4u::Host* to) {
                return simulated::receive(rates, bytes, from == to);
            });
    }
    greatest(comm, std::array{0.0}); // nobody goes on before
    simulated::combine_rate = rates.combine;
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(simulated::add, 1, &op);
    return op;
}

#else

inline MPI_Op charge_nodes(const node_charges&, MPI_Comm) {
    throw std::runtime_error("--charged is for simulations");
}

#endif

} // namespace topo_bench
