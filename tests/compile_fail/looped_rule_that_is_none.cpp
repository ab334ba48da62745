// SPDX-License-Identifier: BSL-1.0
// expect: topo::looped: a rule must be on<kind, algorithm>, within<kind, algorithm>
#include <topomp/collective/barrier.hpp>

void misuse(const topo::hierarchy& tree) {
    topo::barrier(tree, topo::looped<topo::mpi_calls, topo::otherwise<topo::mpi_calls>>{});
}
