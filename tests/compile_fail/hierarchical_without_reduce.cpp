// SPDX-License-Identifier: BSL-1.0
// expect: topo::hierarchical: an algorithm cannot reduce inside its level
#include <topomp/collective/reduce.hpp>

struct another_order { // of its parameters
    static void reduce(topo::level_members&, MPI_Op, topo::message, int);
};

void misuse(const topo::hierarchy& levels, int& result) {
    topo::reduce(levels, 1, result, std::plus<>{}, 0, topo::hierarchical<topo::otherwise<another_order>>{});
}
