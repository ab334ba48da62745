// SPDX-License-Identifier: BSL-1.0
// Collectives that know the machine: as Boost.MPI's, with a hierarchy in place of the communicator.
#include <topomp/topomp.hpp>

#include <boost/mpi/environment.hpp>

#include <functional>
#include <iostream>
#include <sstream>
#include <vector>

int main(int argc, char** argv) {
    const boost::mpi::environment mpi{argc, argv};
    const boost::mpi::communicator world;
    const auto cluster = topo::machine::parse("node:2 package:2 core:2");

    //! [broadcast]
    const topo::hierarchy levels{world, cluster, topo::placement::round_robin()}; // or just levels{world}
    std::vector<int> primes(4);
    if (world.rank() == 0) primes = {2, 3, 5, 7};
    topo::broadcast(levels, primes, 0); // from rank 0 to all
    //! [broadcast]

    //! [reduce]
    const int mine = primes[static_cast<std::size_t>(world.rank() % 4)];
    const int sum = topo::all_reduce(levels, mine, std::plus<>{}); // on all ranks
    int greatest = 0;
    topo::reduce(levels, mine, greatest, boost::mpi::maximum<int>{}, world.size() - 1); // on the last
    topo::barrier(levels);
    //! [reduce]

    std::ostringstream out;
    out << world.rank() << ": last prime " << primes.back() << ", sum " << sum << '\n';
    if (world.rank() == world.size() - 1) out << world.rank() << ": greatest " << greatest << '\n';
    std::cout << out.str() << std::flush;
}
