// SPDX-License-Identifier: BSL-1.0
// expect: topo: MPI_IN_PLACE goes with topo::message and topo::blocks
#include <topomp/collective/gather_init.hpp>

#include <vector>

void misuse(const topo::hierarchy& levels, std::vector<double>& all) {
    static_cast<void>(topo::gather_init(levels, MPI_IN_PLACE, all, 0));
}
