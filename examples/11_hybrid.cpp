// SPDX-License-Identifier: BSL-1.0
// The numbers of all ranks once per node instead of once per rank: paper 2's figure 5 in topomp, and in plain
// MPI.
#include <topomp/topomp.hpp>

#include <boost/mpi/environment.hpp>

#include <iostream>
#include <numeric>
#include <sstream>
#include <vector>

constexpr int per_rank = 100; // numbers

double by_topomp(const topo::hierarchy& levels) {
    //! [topomp]
    topo::shared_window<double> all{levels, per_rank * levels.whole().size(), topo::hybrid::one_copy};
    const auto mine = topo::hybrid::block_of(levels, all, levels.whole().rank());
    std::iota(mine.begin(), mine.end(), levels.whole().rank());
    topo::hybrid::all_gather(levels, all); // each rank of a node reads all numbers in the same memory
    return std::reduce(all.begin(), all.end());
    //! [topomp]
}

double by_mpi() { // the same; right only if the ranks of a node are consecutive
    //! [mpi]
    int rank = 0, size = 0, node_rank = 0, node_size = 0;
    MPI_Comm node = MPI_COMM_NULL, bridge = MPI_COMM_NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &node_rank);
    MPI_Comm_size(node, &node_size);
    MPI_Comm_split(MPI_COMM_WORLD, node_rank == 0 ? 0 : MPI_UNDEFINED, 0, &bridge);
    double *own = nullptr, *all = nullptr;
    MPI_Win window = MPI_WIN_NULL;
    const MPI_Aint bytes = node_rank == 0 ? static_cast<MPI_Aint>(sizeof(double)) * per_rank * size : 0;
    MPI_Win_allocate_shared(bytes, sizeof(double), MPI_INFO_NULL, node, static_cast<void*>(&own), &window);
    MPI_Aint found = 0;
    int unit = 0;
    MPI_Win_shared_query(window, 0, &found, &unit, static_cast<void*>(&all));
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    std::iota(all + per_rank * rank, all + per_rank * (rank + 1), rank);
    MPI_Win_sync(window);
    MPI_Barrier(node);
    MPI_Win_sync(window);
    if (bridge != MPI_COMM_NULL) {
        int nodes = 0;
        MPI_Comm_size(bridge, &nodes);
        std::vector<int> counts(static_cast<std::size_t>(nodes)), positions(counts.size());
        const int count = per_rank * node_size;
        MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, bridge);
        std::exclusive_scan(counts.begin(), counts.end(), positions.begin(), 0);
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DOUBLE, all, counts.data(), positions.data(), MPI_DOUBLE, bridge);
        MPI_Comm_free(&bridge);
    }
    MPI_Win_sync(window);
    MPI_Barrier(node);
    MPI_Win_sync(window);
    const double sum = std::reduce(all, all + per_rank * size);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Comm_free(&node);
    return sum;
    //! [mpi]
}

int main(int argc, char** argv) {
    const boost::mpi::environment mpi{argc, argv};
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:2"),
                                 topo::placement::round_robin()};
    std::ostringstream line;
    line << "rank " << world.rank() << ": " << by_topomp(levels) << " and " << by_mpi() << '\n';
    std::cout << line.str();
}
