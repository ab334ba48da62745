// SPDX-License-Identifier: BSL-1.0
/// @file
/// The options of a program with topomp that say on which machine it shall take its ranks to run.
#pragma once

#include "program.hpp"
#include <topomp/core/error.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/shared_window.hpp>

#include <boost/mpi/communicator.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace apps {

struct machine_options {
    std::optional<std::string> description{};
    std::string place = "core";

    void declare(apps::command_line& line) {
        const auto machine = line.add_unset(
            "--machine", description,
            "a made-up machine instead of this one, such as 'node:2 core:4'; underscores stand for spaces");
        line.add("--place", place, "where ranks sit on it: core by core, or round-robin over its nodes")
            .one_of({"core", "round-robin"})
            .needs(machine);
    }

    /// @collective over the program's ranks @throws refused if there is no such machine
    topo::hierarchy hierarchy() const {
        const boost::mpi::communicator world;
        if (!description) return topo::hierarchy{world};
        std::string text = *description;
        std::ranges::replace(text, '_', ' ');
        try {
            return topo::hierarchy{world, topo::machine::parse(text),
                                   place == "core" ? topo::placement::core_by_core()
                                                   : topo::placement::round_robin()};
        } catch (const topo::error& problem) { // on every rank
            throw refused(problem.what());
        }
    }
};

/// Of each rank, the lowest rank of its node. @collective over the whole
inline std::vector<int> nodes_of_ranks(const topo::hierarchy& levels) {
    topo::shared_window<int> node{levels, 1};
    node.local()[0] = levels.whole().rank();
    node.fence();
    std::vector<int> all(static_cast<std::size_t>(levels.whole().size()));
    MPI_Allgather(node.of(0).data(), 1, MPI_INT, all.data(), 1, MPI_INT, levels.whole());
    node.fence();
    return all;
}

} // namespace apps
