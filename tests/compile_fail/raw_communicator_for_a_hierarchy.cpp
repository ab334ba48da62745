// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: a communicator stands where a hierarchy belongs: write topo::hierarchy levels{comm} once
#include <topomp/collective/iall_reduce.hpp>

#include <functional>

void misuse(double& sum) { topo::iall_reduce(MPI_COMM_WORLD, sum, sum, std::plus<>{}); }
