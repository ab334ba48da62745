// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hardware/topology.hpp>
#include <topomp/hierarchy/discover.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/hierarchy/options.hpp>

#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace topo {

[[gnu::cold]] TOPOMP_INLINE place discover_place(const boost::mpi::communicator& comm,
                                                 const hierarchy_options& options) {
    mpi::require_intracommunicator("topo::discover_place", comm);
    const auto node = detail::own(mpi::comm_split_shared(comm, comm.rank()));

    struct findings {
        std::string node; ///< its switches and name, a line each; only on the node's root
        std::vector<hardware_object> inside;
    };
    auto found = detail::all_or_none(comm, [&] {
        findings mine;
        if (node.rank() == 0) {
            for (const auto& each : options.network.path_to(mpi::processor_name())) {
                if (each.name.find('\n') != std::string::npos)
                    throw argument_error("topo::discover_place", "switch",
                                         "its name has several lines: " + each.name);
                mine.node += (each.fills_outer ? '=' : ' ') + each.name + '\n';
            }
        }
        // Kept: hwloc takes milliseconds to read a machine, and a program may make many hierarchies.
        static const auto hardware = topology::this_machine();
        mine.inside = hardware.path_of(options.source == binding_source::binding ? hardware.binding()
                                                                                 : hardware.last_cpu());
        return mine;
    });

    int number = comm.rank();
    mpi::bcast(&number, 1, MPI_INT, 0, node, "number of the node");
    const std::string names = mpi::bcast_text(std::move(found.node), 0, node, "name of the node");

    std::vector<hardware_object> path;
    for (std::size_t at = 0; at < names.size();) {
        const std::size_t next = names.find('\n', at);
        path.push_back({kind::network_switch, 0, names.substr(at + 1, next - at - 1), names[at] == '='});
        at = next + 1;
    }
    path.back().kind = kind::machine;
    path.back().index = number;
    path.insert(path.end(), std::make_move_iterator(found.inside.begin() + 1),
                std::make_move_iterator(found.inside.end()));
    return place{std::move(path)};
}

[[gnu::cold]] TOPOMP_INLINE place discover_place(MPI_Comm comm, const hierarchy_options& options) {
    return discover_place(detail::lent(comm), options);
}

} // namespace topo
