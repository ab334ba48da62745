// SPDX-License-Identifier: BSL-1.0
/// @file
/// `topomp map`: which rank has which cell of a grid so that neighbours share nodes.
#pragma once

#include <topomp/mapping/grid_plan.hpp>

#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace topo::tool {

/// The command line of `topomp map`, in its words.
struct map_arguments {
    std::string dims;             ///< 50x48; 0 leaves an extent open
    std::optional<int> ranks;     ///< for open extents
    std::optional<int> per_node;  ///< ranks of every node
    std::string node_sizes;       ///< or of each: 20x48,40
    std::string parts;            ///< 2,4: each node in 2, each of these in 4
    std::string periodic;         ///< 1,0
    std::string pattern = "star"; ///< or moore, diagonal, or a file
    std::string weights;          ///< 16,4,1
    std::string algorithm = "automatic";
    std::string first = "jsum";       ///< or jmax
    std::string format = "text";      ///< or json, svg
    std::optional<std::string> emit;  ///< rankfile, mpich or slurm instead
    std::optional<std::string> hosts; ///< the names of the nodes, for that
    std::optional<std::string> output;
    bool with_seconds = false; ///< measure how long planning takes
};

/// Makes a plan and prints it; needs no MPI.
void map(const map_arguments& arguments);

/// Reads what the command line says. @throws argument_error, input_error, system_error
grid_request read_map_arguments(const map_arguments& arguments);

/// The grid with a colour for each node; of more than two dimensions, slices.
void render_map_svg(std::ostream& out, const grid_plan& plan, const std::string& title);

/// What makes a launcher start rank r, for each cell r, on the node that the plan gives the cell.
/// @param launcher `rankfile`, `mpich` or `slurm`
/// @param names as `read_hosts` gives them
void emit_map(std::ostream& out, const grid_plan& plan, const std::vector<int>& node_sizes,
              const std::string& launcher, const std::vector<std::string>& names);

/// The names of the nodes, as the command line says them; none if it does not and the launcher needs none.
/// @throws argument_error, input_error
std::vector<std::string> read_hosts(const map_arguments& arguments, std::size_t nodes);

} // namespace topo::tool
