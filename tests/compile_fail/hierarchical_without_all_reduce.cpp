// SPDX-License-Identifier: BSL-1.0
// expect: topo::hierarchical: an algorithm cannot all_reduce inside its level
#include <topomp/collective/all_reduce.hpp>

struct half {
    static void broadcast(topo::level_members&, topo::message, int);
    static void reduce(topo::level_members&, topo::message, MPI_Op, int);
};

int misuse(const topo::hierarchy& levels) {
    return topo::all_reduce(levels, 1, std::plus<>{}, topo::hierarchical<topo::otherwise<half>>{});
}
