// SPDX-License-Identifier: BSL-1.0
/// @file
/// The options of programs that are simulated on described machines.
#pragma once

#include "nodes.hpp"
#include "record.hpp"
#include "simulated_nodes.hpp"
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <optional>
#include <string>
#include <string_view>

namespace topo_bench {

/// --machine DESCRIPTION, --nodes N,M (the ranks of each node; without it rank after rank on equal nodes)
/// and --charged RATES (what a simulation charges).
struct described_nodes {
    std::optional<topo::machine> machine{}; ///< none: this one
    std::optional<node_map> nodes{};
    std::optional<node_charges> charges{};

    /// @return whether it is one of these options
    bool take(std::string_view option, const std::string& value) {
        if (option == "--machine")
            machine = topo::machine::parse(machine_text(value));
        else if (option == "--nodes")
            nodes = node_map::read(value);
        else if (option == "--charged")
            charges = node_charges::read(value);
        else
            return false;
        return true;
    }

    /// @collective over `world`
    topo::hierarchy levels(const boost::mpi::communicator& world) const {
        if (!machine) return topo::hierarchy{world};
        return {world, *machine, nodes ? nodes->on(*machine) : topo::placement::core_by_core()};
    }

    /// The sum of numbers; in a simulation with charges one that takes time. From here on nodes cost what the
    /// charges say. @collective over `world`
    template <class T>
    MPI_Op sum(const boost::mpi::communicator& world) const {
        return charges ? charge_nodes<T>(*charges, world) : MPI_SUM;
    }
};

} // namespace topo_bench
