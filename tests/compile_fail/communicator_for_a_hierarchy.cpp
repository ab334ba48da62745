// SPDX-License-Identifier: BSL-1.0
// expect: build_topo_hierarchy_levels_comm_once_and_pass_it
#include <topomp/collective/broadcast.hpp>

#include <vector>

void misuse(const boost::mpi::communicator& comm, std::vector<double>& data) {
    topo::broadcast(comm, data, 0);
}
