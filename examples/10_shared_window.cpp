// SPDX-License-Identifier: BSL-1.0
// A table that all ranks of a node read, once per node, and a part of it that each rank writes.
#include <topomp/topomp.hpp>

#include <boost/mpi/environment.hpp>

#include <iostream>
#include <numeric>
#include <sstream>

int main(int argc, char** argv) {
    const boost::mpi::environment mpi{argc, argv};
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:2"),
                                 topo::placement::core_by_core()};

    //! [window]
    topo::shared_window<int> squares{levels,
                                     3}; // three elements of each rank, in one piece of memory per node
    for (int& each : squares.local())
        each = world.rank() * world.rank();
    squares.fence(); // what any rank of the node wrote before, all of them see after

    const int of_node = std::accumulate(squares.begin(), squares.end(), 0);
    //! [window]

    //! [root]
    const topo::window_options one_block{.blocks = topo::window_blocks::of_root};
    topo::shared_window<double> table{levels, 1000, one_block}; // elements in each node, not per rank
    if (table.rank() == 0) std::iota(table.begin(), table.end(), 0.0);
    table.fence();
    //! [root]

    std::ostringstream line;
    line << "rank " << world.rank() << ": " << of_node << " in the node, " << table.of(0)[999]
         << " at the end of the table";
    std::cout << line.str() + '\n';
}
