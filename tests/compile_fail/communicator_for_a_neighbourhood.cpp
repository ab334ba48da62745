// SPDX-License-Identifier: BSL-1.0
// expect: topo: a communicator stands where a hierarchy belongs: write topo::hierarchy levels{comm} once
// errors: 1
#include <topomp/neighbour/neighbourhood.hpp>

#include <boost/mpi/communicator.hpp>

#include <vector>

void misuse(const boost::mpi::communicator& comm, const std::vector<int>& neighbours) {
    topo::neighbourhood where{comm, neighbours, neighbours};
}
