// SPDX-License-Identifier: BSL-1.0
// expect: topo::hybrid: elements of the window go to other nodes, so MPI must know their type
#include <topomp/hybrid/broadcast.hpp>

struct cell {
    int a;
    double b;
};

void misuse(const topo::hierarchy& levels, topo::shared_window<cell>& cells) {
    topo::hybrid::broadcast(levels, cells, 0);
}
