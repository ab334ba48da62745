// SPDX-License-Identifier: BSL-1.0
/// @file
/// Where the ranks of a program that uses topomp run: as it is, or as options say.
#pragma once

#include "program.hpp"
#include <topomp/core/error.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/discover.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

namespace apps {

/// The options of programs that use topomp.
struct machine_options {
    std::string machine, place = "core";

    void declare(apps::command_line& line) {
        const auto described = line.add_unset(
            "--machine", machine,
            "a made-up machine instead of this one, such as 'node:2 package:2 core:4' (or with underscores)");
        line.add("--place", place, "where ranks sit on it: core or round-robin")
            .needs(described)
            .one_of({"core", "round-robin"});
    }

    /// Where the calling rank of MPI_COMM_WORLD runs. @collective over all ranks
    topo::place mine() const {
        if (machine.empty()) return topo::discover_place(MPI_COMM_WORLD);
        try {
            std::string text = machine;
            std::ranges::replace(text, '_', ' '); // smpirun cuts arguments at spaces
            const auto on = topo::machine::parse(text);
            const auto rule =
                place == "core" ? topo::placement::core_by_core() : topo::placement::round_robin();
            const auto seats = rule.seats(on, size_of(MPI_COMM_WORLD));
            return on.place_of(seats[static_cast<std::size_t>(rank_in(MPI_COMM_WORLD))]);
        } catch (const topo::error& problem) {
            throw refused(problem.what());
        }
    }
};

} // namespace apps
