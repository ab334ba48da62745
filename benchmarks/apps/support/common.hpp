// SPDX-License-Identifier: BSL-1.0
/// @file
/// What all programs here share: MPI from beginning to end, options, errors. Nothing of topomp.
#pragma once

#include "../../support/agreed_start.hpp"
#include "../../support/command_line.hpp"
#include "../../support/json.hpp"
#include "../../support/simulated_nodes.hpp"

#include <mpi.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace apps {

using topo_bench::command_line;
using topo_bench::is_simulated;
using topo_bench::json;
using topo_bench::refused;

/// A result that differs from the serial one, on all ranks alike.
struct wrong_result : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline int rank_in(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}
inline int size_of(MPI_Comm comm) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    return size;
}

/// The middle one of several values, or the mean of the two in the middle.
double median(std::vector<double> of);

/// The MPI that runs the program.
std::string mpi_name();

/// Lets pass, in a simulation, what so many operations take one core.
inline void charge(double operations, double gflops) { topo_bench::pass_time(operations / (gflops * 1e9)); }

/// The options --gflops and --charged, of what a simulation charges. @param gflops as `charge` takes them
void declare_charges(command_line& line, double& gflops);

/// A whole program: MPI, the command line, and what becomes of errors.
/// @param declare adds the program's options @param work all else, on all ranks, which returns the exit
/// status
/// @return that; 2 and one line on rank 0's standard error for what is refused; 1 likewise for a wrong result
int run(int argc, char** argv, const std::string& name, const std::string& description,
        const std::function<void(command_line&)>& declare, const std::function<int()>& work);

} // namespace apps
