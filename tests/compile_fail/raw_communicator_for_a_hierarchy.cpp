// SPDX-License-Identifier: BSL-1.0
// expect: build_topo_hierarchy_levels_comm_once_and_pass_it
#include <topomp/collective/iall_reduce.hpp>

#include <functional>

void misuse(double& sum) { topo::iall_reduce(MPI_COMM_WORLD, sum, sum, std::plus<>{}); }
