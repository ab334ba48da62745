// SPDX-License-Identifier: BSL-1.0
// expect: topo::looped: some level has no answer
#include <topomp/collective/barrier.hpp>

void misuse(const topo::hierarchy& tree) {
    topo::barrier(tree, topo::looped<topo::within<topo::kind::machine, topo::mpi_calls>>{});
}
