// SPDX-License-Identifier: BSL-1.0
// expect: give it static void broadcast(level_members&, message what, int root), or put mpi_calls
#include <topomp/collective/all_reduce.hpp>

struct half {
    static void reduce(topo::level_members&, topo::message, MPI_Op, int);
    static void all_reduce(topo::level_members&, topo::message, MPI_Op);
};

int misuse(const topo::hierarchy& levels) {
    return topo::all_reduce(
        levels, 1, std::plus<>{},
        topo::hierarchical<topo::within<topo::kind::machine, half>, topo::otherwise<topo::mpi_calls>>{});
}
