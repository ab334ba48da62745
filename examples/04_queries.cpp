// SPDX-License-Identifier: BSL-1.0
// Questions to a hierarchy: who is close to whom, and which rank is which.
#include <topomp/topomp.hpp>

#include <boost/mpi/environment.hpp>

#include <array>
#include <iostream>
#include <sstream>

int main(int argc, char** argv) {
    const boost::mpi::environment mpi{argc, argv};
    const boost::mpi::communicator world;
    if (world.size() < 4) {
        std::cerr << "this example needs at least 4 ranks\n";
        return 1;
    }
    const auto cluster = topo::machine::parse("node:2 package:2 l3:1 core:2");
    const topo::hierarchy levels{world, cluster, topo::placement::core_by_core()};
    const int me = world.rank();
    std::ostringstream out;

    //! [closeness]
    // Only the listed ranks know; the others get "Unknown".
    out << me << ": ranks 0 and 1 share " << topo::lowest_shared_type(levels, std::array{0, 1}) << '\n';
    out << me << ": ranks 0 and 2 share " << topo::lowest_shared_type(levels, std::array{0, 2}) << '\n';
    // All ranks know, because all ranks ask: collective.
    out << me << ": depth shared by 0 and 1 is " << topo::shared_depth(levels, 0, 1) << '\n';
    //! [closeness]

    //! [translation]
    if (const auto* cache = levels.find(topo::kind::l3_cache)) {
        const int root = topo::whole_rank(levels, cache->depth(), 0);
        out << me << ": my L3 cache is number " << cache->index() << " and its root is rank " << root << '\n';
    }
    out << me << ": rank 3 sits at";
    for (const topo::position& at : topo::locate(levels, 3))
        out << " (" << at.index << ", " << at.rank << ')';
    out << '\n';
    //! [translation]

    //! [bare]
    // Code that gets nothing but an MPI_Comm can ask what it stands for.
    const MPI_Comm bare = levels[0].comm();
    if (const auto info = topo::level_info_of(bare)) out << me << ": a bare MPI_Comm is " << *info << '\n';
    if (!topo::level_info_of(world)) out << me << ": world came out of no split\n";
    //! [bare]
    std::cout << out.str() << std::flush;
}
