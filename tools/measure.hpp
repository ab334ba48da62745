// SPDX-License-Identifier: BSL-1.0
/// @file
/// `topomp measure`: the parameters of cost models, measured on the running program's levels.
#pragma once

#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/model/machine_parameters.hpp>

#include <optional>
#include <string>

namespace topo::tool {

/// The command line of `topomp measure`, read.
struct measure_request {
    double seconds = 20;                ///< about so long it may take
    std::optional<std::string> machine; ///< a made-up one, core by core, instead of this one's levels
    std::optional<std::string> output;
};

/// Measures between the first and the last member of the largest level of each depth: round trips, overheads,
/// gaps, what several ranks of a member reach at a time, the latency of a flag in shared memory, and `memcpy`
/// on rank 0. While two ranks measure, the others sleep.
/// @param seconds about how long it may take; the least number of repetitions is done in any case
/// @return the parameters on rank 0 of the whole, elsewhere nothing of use @collective over the whole
model::machine_parameters measure(const hierarchy& levels, double seconds);

/// Measures and prints; collective over MPI_COMM_WORLD. Rank 0 prints.
void measure_running(const measure_request& request);

} // namespace topo::tool
