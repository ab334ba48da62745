// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: a communicator stands where a hierarchy belongs: write topo::hierarchy levels{comm} once
#include <topomp/collective/broadcast.hpp>

#include <vector>

void misuse(const boost::mpi::communicator& comm, std::vector<double>& data) {
    topo::broadcast(comm, data, 0);
}
