// SPDX-License-Identifier: BSL-1.0
// One program that grows: levels, a broadcast, memory of a node, a grid. The tutorial quotes its parts.
#include <topomp/topomp.hpp>

#include <boost/mpi/environment.hpp>

#include <functional>
#include <iostream>
#include <sstream>
#include <vector>

int main(int argc, char** argv) {
    const boost::mpi::environment mpi{argc, argv};
    const boost::mpi::communicator world;
    std::ostringstream line; // one write a rank, so that lines stay whole
    line << "rank " << world.rank() << ": ";

    //! [levels]
    const auto machine =
        topo::machine::parse("node:2 core:2"); // made up; without it: topo::hierarchy levels{world};
    const topo::hierarchy levels{world, machine, topo::placement::core_by_core()};
    for (const topo::level& level : levels)
        line << level.name() << ' ';
    //! [levels]

    //! [broadcast]
    std::vector<double> coefficients(3);
    if (world.rank() == 0) coefficients = {1, 2, 3};
    topo::broadcast(levels, coefficients, 0); // all ranks call it, with vectors of the same size
    const double sum = topo::all_reduce(levels, coefficients[1] * world.rank(), std::plus<>{});
    line << "sum " << sum << ", ";
    //! [broadcast]

    //! [window]
    topo::shared_window<double> table{levels,
                                      1}; // an element of each rank, in memory that a node's ranks share
    table.local()[0] = world.rank();
    table.fence(); // all ranks of the node have written
    double of_node = 0;
    for (const double each : table) // also the other ranks' elements, without a message
        of_node += each;
    line << "node " << of_node << ", ";
    //! [window]

    //! [grid]
    const topo::node_cart grid{levels, {0, 0}}; // extents and numbers chosen so that neighbours share nodes
    const std::vector<int> here = grid.coordinates();
    line << "cell " << here[0] << ' ' << here[1] << ", " << grid.partners_on_node()
         << " neighbours in the node\n";
    //! [grid]
    std::cout << line.str() << std::flush;
}
