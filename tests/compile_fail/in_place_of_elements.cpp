// SPDX-License-Identifier: BSL-1.0
// expect: topo: MPI_IN_PLACE goes with topo::message and topo::blocks
#include <topomp/collective/all_reduce.hpp>

#include <functional>
#include <vector>

void misuse(const topo::hierarchy& levels, std::vector<double>& sums) {
    topo::all_reduce(levels, MPI_IN_PLACE, sums, std::plus<>{});
}
