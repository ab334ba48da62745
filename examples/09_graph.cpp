// SPDX-License-Identifier: BSL-1.0
// A communicator for a graph: each rank names only the ranks that it sends to.
#include <topomp/topomp.hpp>

#include <boost/mpi/environment.hpp>

#include <cstddef>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

int main(int argc, char** argv) {
    const boost::mpi::environment mpi{argc, argv};
    const boost::mpi::communicator world;
    const int ranks = world.size(), half = ranks / 2;
    if (ranks < 4 || ranks % 2 != 0) {
        std::cerr << "this example needs 4 ranks or more, and an even number\n";
        return 1;
    }
    // Nodes of two ranks, in order. Each vertex sends much to one that is far away, and a little to the next.
    const auto cluster = topo::machine::parse("node:" + std::to_string(half) + " core:2");
    const topo::hierarchy levels{world, cluster, topo::placement::core_by_core()};

    //! [create]
    const int far = (world.rank() + half) % ranks, next = (world.rank() + 1) % ranks;
    const topo::graph pairs{levels, {far, far, far, next}}; // repeats mean load
    //! [create]

    //! [move]
    // What the old rank v had for vertex v goes to the process that is vertex v now.
    const int mine = 100 + world.rank();
    int moved = 0;
    topo::permute(topo::remap(world, pairs), mine, moved);
    //! [move]

    //! [exchange]
    std::vector<int> out(pairs.destinations().size(), moved), in(pairs.sources().size());
    MPI_Neighbor_alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, pairs); // MPI knows the graph
    //! [exchange]

    std::ostringstream text;
    text << "vertex " << pairs.rank() << " was rank " << pairs.old_rank(pairs.rank()) << ", has data "
         << moved << ", and got";
    for (std::size_t i = 0; i < in.size(); ++i)
        text << ' ' << in[i] << " from vertex " << pairs.sources()[i]
             << (pairs.is_on_node(pairs.sources()[i]) ? " here" : " elsewhere");
    text << '\n';
    if (pairs.rank() == 0)
        text << "load between nodes: " << pairs.plan().now.cost.jsum << ", in the old order "
             << pairs.plan().blocked.cost.jsum << '\n';
    std::cout << text.str() << std::flush;
}
