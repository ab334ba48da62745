// SPDX-License-Identifier: BSL-1.0
// OpenMP inside a rank: all threads compute, one of them calls topomp. MPI_THREAD_FUNNELED is enough for
// that.
#include <topomp/topomp.hpp>

#include <boost/mpi/environment.hpp>

#include <iostream>
#include <vector>

int main(int argc, char** argv) {
    const boost::mpi::environment mpi{argc, argv, boost::mpi::threading::funneled};
    const boost::mpi::communicator world;
    if (mpi.thread_level() < boost::mpi::threading::funneled) {
        std::cerr << "this MPI does not allow threads\n";
        return 1;
    }
    const topo::hierarchy levels{world};

    //! [funneled]
    std::vector<double> part(1000);
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 1000; ++i) {
        part[static_cast<std::size_t>(i)] = i + world.rank();
        sum += part[static_cast<std::size_t>(i)];
    }
    sum = topo::all_reduce(levels, sum, std::plus<>{}); // behind the parallel region: the main thread alone
    //! [funneled]
    if (world.rank() == 0) std::cout << "sum " << sum << '\n';
}
