// SPDX-License-Identifier: BSL-1.0
// expect: topo: MPI cannot move elements of this type as they lie in memory: mark a struct of numbers
#include <topomp/collective/broadcast.hpp>

#include <vector>

struct cell {
    int a;
    double b;
};

void misuse(const topo::hierarchy& levels, std::vector<cell>& cells) { topo::broadcast(levels, cells, 0); }
