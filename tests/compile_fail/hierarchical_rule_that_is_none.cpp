// SPDX-License-Identifier: BSL-1.0
// expect: topo::hierarchical: a rule must be on<kind, algorithm>, within<kind, algorithm>
#include <topomp/collective/barrier.hpp>

void misuse(const topo::hierarchy& levels) {
    topo::barrier(levels, topo::hierarchical<topo::mpi_calls, topo::otherwise<topo::mpi_calls>>{});
}
