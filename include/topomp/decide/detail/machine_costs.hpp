// SPDX-License-Identifier: BSL-1.0
/// @file
/// What moving data costs on a machine, as `decide` assumes it.
#pragma once

#include <topomp/algorithm/direct_messages.hpp>
#include <topomp/decide/detail/call_key.hpp>
#include <topomp/decide/detail/candidates.hpp>
#include <topomp/decide/detail/predicted.hpp>
#include <topomp/decide/detail/usual_messages.hpp>
#include <topomp/model/measured_messages.hpp>
#include <topomp/model/message_cost.hpp>
#include <topomp/model/network_messages.hpp>
#include <topomp/model/usual_networks.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/plan.hpp>

#include <memory>
#include <optional>

namespace topo::detail {

/// Messages of one level: of the tuned table's platforms, of a usual network, or measured ones.
struct known_messages {
    usual_messages usual;
    const model::network_messages* network = nullptr;   ///< if set, instead
    const model::measured_messages* measured = nullptr; ///< if set, instead of both

    /// A rank can send inside its node while the network takes a message of it.
    model::message_cost cost(double bytes, int flows = 1) const {
        model::message_cost made;
        if (measured != nullptr) {
            made = measured->cost(bytes, flows);
            made.held = measured->single.send_overhead(bytes);
        } else if (network != nullptr) {
            made = network->cost(bytes, flows);
            made.held = network->overhead;
        } else {
            made = usual.cost(bytes, flows);
            made.held = usual.single.overhead;
        }
        return made;
    }
};

/// What moving data costs: messages between nodes and inside them, and the memory of a node.
struct machine_costs {
    known_messages between, inside;
    usual_messages numa_nodes;   ///< between them, where `inside` is not known better
    double signal = 0;           ///< seconds until a rank can read what another one has raised
    double copy_per_byte = 0;    ///< seconds
    double combine_per_byte = 0; ///< seconds; of an operand at hand
    /// Seconds until an operand is out of a message, where no other cost has it.
    double receive_per_byte = 0;
    bool is_memory_free = false;          ///< otherwise all copies and messages of a node share its memory
    std::shared_ptr<const void> source{}; ///< keeps what `measured` points to

    /// @param network null: of the platforms of the tuned table, or `other` than these
    static machine_costs of(const model::usual_network* network, const other_messages& other = {});
    /// Whether messages were measured where those of a key go; of costs that are no usual network's.
    bool were_measured(bool crosses_nodes) const {
        const known_messages& those = crosses_nodes ? between : inside;
        return those.measured != nullptr || those.network != nullptr;
    }
};

/// The key with the NUMA nodes of one machine as its nodes, where it has none.
constexpr call_key among_parts(call_key now) {
    if (!now.crosses_nodes()) now.node_count = now.has_numa_nodes() ? now.numa_nodes() : 1;
    return now;
}

/// Whether `direct_messages` between nodes sends messages itself; else it calls the MPI's own collective.
constexpr bool sends_directly(const call_key& now) {
    return now.nodes() <= direct_messages::most_ranks && now.bytes <= direct_messages::most_bytes &&
           (now.what == verb::broadcast || now.what == verb::reduce);
}

/// Bytes of a message, or of a piece of a long reduction, along each lane between the nodes of
/// `among_parts(now)`.
double slice_in_lanes(const call_key& now);

/// Seconds of a call by a plan; nothing where there is no model. Of the MPI's own collectives: of the usual
/// algorithm that is the fastest by the models, along the ranks' numbers.
/// @cost linear in the number of ranks
std::optional<double> seconds_of(const plan& what, const call_key& now, const machine_costs& costs);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/decide/impl/machine_costs.ipp>
#endif
