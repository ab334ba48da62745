// SPDX-License-Identifier: BSL-1.0
// Each rank prints the levels it is in: a line per rank, on the real machine.
//! [levels]
#include <topomp/topomp.hpp>

#include <boost/mpi/environment.hpp>

#include <iostream>

int main(int argc, char** argv) {
    boost::mpi::environment mpi{argc, argv};
    boost::mpi::communicator world;
    topo::hierarchy levels{world};
    std::string line = "rank " + std::to_string(world.rank());
    for (const topo::level& level : levels) // level.comm() is an ordinary communicator
        line += ", rank " + std::to_string(level.comm().rank()) + " in " + level.name();
    std::cout << line + '\n';
}
//! [levels]
