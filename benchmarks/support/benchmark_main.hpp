// SPDX-License-Identifier: BSL-1.0
/// @file
/// How a benchmark begins and ends.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <mpi.h>

#include <exception>
#include <iostream>
#include <optional>
#include <string>

namespace topo_bench {

/// What main returns. Arguments that a rank cannot use are refused on all ranks with exit code 2, in one line
/// of the lowest such rank. A rank that fails later writes why and ends all of them.
/// @param read `read(argc, argv)`: what `run` needs, or an exception @param run `run(world, read's result)`
template <class Read, class Run>
int benchmark_main(int argc, char** argv, Read read, Run run) {
    const boost::mpi::environment environment{argc, argv};
    const boost::mpi::communicator world;
    const auto complain = [&](const std::string& problem) {
        const std::string program = argc > 0 ? argv[0] : "benchmark";
        std::cerr << program.substr(program.rfind('/') + 1) + ": " + problem + '\n' << std::flush;
    };
    std::optional<decltype(read(argc, argv))> given;
    std::string problem;
    try {
        given.emplace(read(argc, argv));
    } catch (const std::exception& caught) {
        problem = caught.what();
    }
    const int refuses = given ? world.size() : world.rank();
    int first = 0;
    MPI_Allreduce(&refuses, &first, 1, MPI_INT, MPI_MIN, world);
    if (first < world.size()) {
        if (world.rank() == first) complain(problem);
        return 2;
    }
    try {
        run(world, *given);
    } catch (const std::exception& caught) { // perhaps on this rank only: the others would wait for it
        complain(caught.what());
        MPI_Abort(world, 2);
    }
    return 0;
}

} // namespace topo_bench
