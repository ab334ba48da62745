// SPDX-License-Identifier: BSL-1.0
// expect: topo: MPI cannot move elements of this type as they lie in memory: mark a struct of numbers
#include <topomp/collective/ibroadcast.hpp>

#include <span>

struct cell {
    int a;
    double b;
};

void misuse(const topo::hierarchy& levels, std::span<cell> cells) { topo::ibroadcast(levels, cells, 0); }
