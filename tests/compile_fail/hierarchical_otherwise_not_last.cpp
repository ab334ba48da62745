// SPDX-License-Identifier: BSL-1.0
// expect: topo::hierarchical: otherwise<algorithm> must be the last rule
#include <topomp/collective/barrier.hpp>

void misuse(const topo::hierarchy& levels) {
    topo::barrier(levels, topo::hierarchical<topo::otherwise<topo::mpi_calls>,
                                             topo::on<topo::kind::machine, topo::mpi_calls>>{});
}
