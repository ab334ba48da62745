// SPDX-License-Identifier: BSL-1.0
// A program in the middle of its work when its job is cancelled: it holds a shared window and the shared
// memory of topomp's collectives, says so, and waits.
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/shared_window.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>

#include <functional>
#include <iostream>
#include <unistd.h>
#include <vector>

int main(int argc, char** argv) {
    const boost::mpi::environment environment{argc, argv};
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world};
    const topo::shared_window<double> window{levels, 1 << 16};
    std::vector<double> data(1 << 14, 1.0), sum(data.size());
    topo::all_reduce(levels, data, sum, std::plus<double>{});
    topo::broadcast(levels, data, 0);
    if (world.rank() == 0) std::cout << "ready" << std::endl;
    sleep(120);
}
