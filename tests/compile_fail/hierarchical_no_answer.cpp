// SPDX-License-Identifier: BSL-1.0
// expect: topo::hierarchical: some level has no answer
#include <topomp/collective/barrier.hpp>

void misuse(const topo::hierarchy& levels) {
    topo::barrier(levels, topo::hierarchical<topo::within<topo::kind::machine, topo::mpi_calls>>{});
}
