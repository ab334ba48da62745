// SPDX-License-Identifier: BSL-1.0
// measure [--machine DESCRIPTION] [--charged RATES] [--repetitions N] [--output FILE] [--note KEY=VALUE]...
//
// `topomp measure` where the command is not: in a simulation. The parameters of cost models, between the
// ranks of this run; on a made-up machine if one is described, core by core. --charged: what the simulation
// charges nodes. --repetitions 1: as few as there can be.
#include "../tools/measure.hpp"

#include "support/record.hpp"
#include "support/simulated_nodes.hpp"
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <mpi.h>

#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

namespace {

void run(const boost::mpi::communicator& world, int argc, char** argv) {
    std::string machine = "node:2 package:2 core:2";
    const auto given =
        topo_bench::read_arguments(argc, argv, 100, [&](std::string_view option, const std::string& value) {
            if (option == "--machine")
                machine = topo_bench::machine_text(value);
            else if (option == "--charged")
                topo_bench::charge_nodes<double>(topo_bench::node_charges::read(value), world);
            else
                return false;
            return true;
        });
    const topo::hierarchy levels{world, topo::machine::parse(machine), topo::placement::core_by_core()};
    const auto found = topo::tool::measure(levels, 0.1 * given.repetitions);
    if (world.rank() != 0) return;
    if (given.output.empty()) return found.write(std::cout);
    std::ofstream out{given.output};
    found.write(out);
}

} // namespace

int main(int argc, char** argv) {
    const boost::mpi::environment environment{argc, argv};
    try {
        run(boost::mpi::communicator{}, argc, argv);
    } catch (const std::exception& problem) {
        std::cerr << "measure: " << problem.what() << std::endl;
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}
