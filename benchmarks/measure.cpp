// SPDX-License-Identifier: BSL-1.0
// measure [--machine DESCRIPTION] [--charged RATES] [--repetitions N] [--output FILE] [--note KEY=VALUE]...
//
// `topomp measure` where the command is not: in a simulation. The parameters of cost models, between the
// ranks of this run; on a made-up machine if one is described, core by core. --charged: what the simulation
// charges nodes. --repetitions 1: as few as there can be.
#include "../tools/measure.hpp"

#include "support/benchmark_main.hpp"
#include "support/described_nodes.hpp"
#include "support/record.hpp"
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>

#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

namespace {

struct request {
    topo_bench::described_nodes nodes{};
    topo_bench::arguments common{};
};

request read_request(int argc, char** argv) {
    request given;
    given.nodes.take("--machine", "node:2 package:2 core:2");
    given.common =
        topo_bench::read_arguments(argc, argv, 100, [&](std::string_view option, const std::string& value) {
            return given.nodes.take(option, value);
        });
    return given;
}

void run(const boost::mpi::communicator& world, const request& given) {
    given.nodes.sum<double>(world);
    const topo::hierarchy levels = given.nodes.levels(world);
    const auto found = topo::tool::measure(levels, 0.1 * given.common.repetitions);
    if (world.rank() != 0) return;
    if (given.common.output.empty()) return found.write(std::cout);
    std::ofstream out{given.common.output};
    found.write(out);
}

} // namespace

int main(int argc, char** argv) { return topo_bench::benchmark_main(argc, argv, read_request, run); }
