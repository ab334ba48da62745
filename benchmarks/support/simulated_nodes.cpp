// SPDX-License-Identifier: BSL-1.0
#include "simulated_nodes.hpp"

#include "agreed_start.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <vector>

#ifdef SMPI_HELPERS_H
#include <simgrid/actor.h>
#include <simgrid/exec.h>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Host.hpp>
#include <simgrid/s4u/Link.hpp>
extern "C" void smpi_bench_begin(void);
extern "C" void smpi_bench_end(void);
#endif

namespace topo_bench {

node_charges node_charges::read(const std::string& text) {
    node_charges rates;
    char first = 0, second = 0;
    std::istringstream in{text};
    in >> rates.receive >> first >> rates.combine >> second >> rates.end;
    if (!in || !in.eof() || first != ':' || second != ':' || rates.receive <= 0 || rates.combine <= 0)
        throw std::runtime_error("--charged wants GB/s of a receiver and of an operation, and us of a "
                                 "message's end, as in 20:20:0.3, not " +
                                 text);
    if (!is_simulated) throw std::runtime_error("--charged is for simulations");
    return {rates.receive * 1e9, rates.combine * 1e9, rates.end * 1e-6};
}

#ifdef SMPI_HELPERS_H

// SMPI's own functions would share a host's speed, which is that of its memory, among its ranks.
void pass_time(double seconds) {
    smpi_bench_end();
    sg_actor_sleep_for(seconds);
    smpi_bench_begin();
}

namespace {

/// Longer messages to another node go straight into the receiver's memory (Open MPI's openib: 12 KiB).
constexpr std::size_t eager_between_nodes = 12288;
/// Shorter copies stay in caches, and do not share the node's memory (as topomp's, see
/// topomp/memory/detail/simulated.hpp).
constexpr std::size_t shared_from = 4096;

double combine_rate = 0; // SimGrid gives each rank a copy of its own

template <class T>
void add(void* left, void* right, int* count, MPI_Datatype*) {
    const auto number = static_cast<std::size_t>(*count);
    const T* const from = static_cast<const T*>(left);
    T* const to = static_cast<T*>(right);
    std::transform(from, from + number, to, to, [](T a, T b) { return a + b; });
    // From the MPI's code as from the library's: SimGrid measures no computation here.
    sg_actor_sleep_for(static_cast<double>(number * sizeof *to) / combine_rate);
}

/// Messages inside a host: each as fast as before, all together as fast as the host's memory.
void limit_memory(simgrid::s4u::Host& host) {
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

double receive(const node_charges& rates, std::size_t bytes, bool is_inside) {
    const auto length = static_cast<double>(bytes);
    if (!is_inside && bytes > eager_between_nodes) return rates.end;
    if (!is_inside || bytes < shared_from) return rates.end + length / rates.receive;
    const sg_exec_t copy = sg_actor_exec_init(length); // through memory that all ranks of the host share
    sg_exec_set_bound(copy, rates.receive);
    sg_exec_start(copy);
    sg_exec_wait(copy);
    return rates.end;
}

} // namespace

template <class T>
MPI_Op charge_nodes(const node_charges& rates, MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        for (auto* host : simgrid::s4u::Engine::get_instance()->get_all_hosts())
            limit_memory(*host);
        smpi_register_op_cost_callback(
            SmpiOperation::RECV,
            [rates](std::size_t bytes, simgrid::s4u::Host* from, simgrid::s4u::Host* to) {
                return receive(rates, bytes, from == to);
            });
    }
    greatest(comm, std::array{0.0}); // no rank goes on before
    combine_rate = rates.combine;
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(add<T>, 1, &op);
    return op;
}

void charge_combining(std::size_t bytes) {
    if (combine_rate > 0) pass_time(static_cast<double>(bytes) / combine_rate);
}

#else

template <class T>
MPI_Op charge_nodes(const node_charges&, MPI_Comm) {
    return MPI_OP_NULL; // there are no charges here
}
void charge_combining(std::size_t) {}
void pass_time(double) {}

#endif

template MPI_Op charge_nodes<double>(const node_charges&, MPI_Comm);
template MPI_Op charge_nodes<std::uint64_t>(const node_charges&, MPI_Comm);

} // namespace topo_bench
