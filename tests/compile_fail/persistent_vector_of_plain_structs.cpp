// SPDX-License-Identifier: BSL-1.0
// expect: topo: MPI cannot move elements of this type as they lie in memory: mark a struct of numbers
#include <topomp/collective/broadcast_init.hpp>

#include <vector>

struct cell {
    int a;
    double b;
};

void misuse(const topo::hierarchy& levels, std::vector<cell>& cells) {
    static_cast<void>(topo::broadcast_init(levels, cells, 0));
}
