// SPDX-License-Identifier: BSL-1.0
// expect: build_topo_hierarchy_levels_comm_once_and_pass_it
#include <topomp/memory/shared_window.hpp>

#include <boost/mpi/communicator.hpp>

void misuse(const boost::mpi::communicator& comm) { topo::shared_window<double> window{comm, 3}; }
