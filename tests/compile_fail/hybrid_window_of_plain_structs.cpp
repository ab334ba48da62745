// SPDX-License-Identifier: BSL-1.0
// expect: topo::hybrid: the elements of this shared_window<T> go to other nodes, so MPI must know T
#include <topomp/hybrid/broadcast.hpp>

struct cell {
    int a;
    double b;
};

void misuse(const topo::hierarchy& levels, topo::shared_window<cell>& cells) {
    topo::hybrid::broadcast(levels, cells, 0);
}
