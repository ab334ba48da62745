// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: a communicator stands where a hierarchy belongs: write topo::hierarchy levels{comm} once
#include <topomp/memory/shared_window.hpp>

#include <boost/mpi/communicator.hpp>

void misuse(const boost::mpi::communicator& comm) { topo::shared_window<double> window{comm, 3}; }
