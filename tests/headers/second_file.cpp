// SPDX-License-Identifier: BSL-1.0
// The second file of a program that uses the headers only: both files include all of them and call verbs,
// also the same one.
#include <topomp/topomp.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>

#include <iostream>

/// In the first file.
int broadcast_in_first_file(const topo::hierarchy& levels, int value);

int in_two_files(int argc, char** argv) {
    const boost::mpi::environment environment{argc, argv};
    const boost::mpi::communicator whole;
    const topo::hierarchy levels{whole};
    int here = whole.rank() == 0 ? 17 : 0;
    topo::broadcast(levels, here, 0, topo::binomial{});
    const int there = broadcast_in_first_file(levels, whole.rank() == 0 ? 25 : 0);
    if (here != 17 || there != 25) {
        std::cerr << "rank " << whole.rank() << " has " << here << " and " << there << '\n';
        return 1;
    }
    return 0;
}
