// SPDX-License-Identifier: BSL-1.0
// Blocks of different lengths: without counts, with counts and positions, and with the type erased.
#include <topomp/topomp.hpp>

#include <boost/mpi/environment.hpp>

#include <cstddef>
#include <iostream>
#include <vector>

int main(int argc, char** argv) {
    const boost::mpi::environment mpi{argc, argv};
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world};
    const int rank = world.rank(), ranks = world.size();

    //! [unknown]
    const std::vector<int> mine(static_cast<std::size_t>(rank), rank); // rank r has r elements
    const topo::gathered<int> all = topo::gatherv(levels, mine, 0);    // no rank knows another's length
    //! [unknown]

    //! [known]
    std::vector<int> counts, positions; // of all ranks; backwards, with a gap behind each block
    for (int r = 0; r < ranks; ++r) {
        counts.push_back(r);
        positions.push_back((ranks - 1 - r) * ranks);
    }
    std::vector<int> placed(static_cast<std::size_t>(rank == 0 ? ranks * ranks : 0), -1);
    topo::gatherv(levels, mine, placed, counts, positions, 0);
    //! [known]

    //! [erased]
    const auto size = static_cast<std::size_t>(ranks);
    std::vector<double> to(size, rank), from(size); // a block of one double for every rank
    const topo::blocks source{to.data(), MPI_DOUBLE, 1}, result{from.data(), MPI_DOUBLE, 1};
    topo::all_to_all(levels, source, result);
    //! [erased]

    if (rank != 0) return 0;
    std::cout << "rank 3 sent " << all.counts[3] << " elements, the first is " << all[3].front()
              << ", and begins at " << all.positions[3] << "\nplaced:";
    for (const int each : placed)
        std::cout << ' ' << each;
    std::cout << "\nfrom:";
    for (const double each : from)
        std::cout << ' ' << each;
    std::cout << '\n';
}
