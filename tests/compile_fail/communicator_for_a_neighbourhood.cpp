// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: a communicator stands where a hierarchy belongs: write topo::hierarchy levels{comm} once
#include <topomp/neighbour/neighbourhood.hpp>

#include <boost/mpi/communicator.hpp>

#include <vector>

void misuse(const boost::mpi::communicator& comm, const std::vector<int>& neighbours) {
    topo::neighbourhood where{comm, neighbours, neighbours};
}
