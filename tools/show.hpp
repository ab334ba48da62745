// SPDX-License-Identifier: BSL-1.0
/// @file
/// `topomp show`: which communicators a program has here, or would have elsewhere.
#pragma once

#include "launch.hpp"
#include <topomp/hardware/machine.hpp>
#include <topomp/hierarchy/options.hpp>

#include <optional>
#include <string>
#include <vector>

namespace topo::tool {

/// The command line of `topomp show`, read.
struct show_request {
    std::optional<std::string> description; ///< of a made-up machine
    std::optional<std::string> xml;         ///< a file of lstopo's
    int nodes = 1;
    std::optional<int> ranks;
    std::string place = "core";      ///< or "round-robin", or a file
    std::optional<std::string> tree; ///< rules of a tree to show instead of the hierarchy
    int root = 0;                    ///< of that tree
    std::string format = "text";
    std::optional<std::string> output;
    std::optional<network> switches; ///< instead of the machine's or the environment's
    hierarchy_options options;

    bool is_made_up() const { return description || xml; }
};

/// Shows the running program's hierarchy; collective over MPI_COMM_WORLD. Rank 0 prints; on standard error it
/// says which levels are missing because ranks are not bound or do not know their switches, and what helps.
/// @throws argument_error where each process is a program of its own
void show_running(const show_request& request, const launch& started);

/// Shows what a program would have; needs no MPI. @throws argument_error where this machine is asked for by
/// processes that a launcher started and that are programs of their own
void show_planned(const show_request& request, const launch& started);

/// The machine of the calling process, as one node.
machine this_node();

} // namespace topo::tool
