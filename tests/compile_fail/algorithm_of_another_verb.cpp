// SPDX-License-Identifier: BSL-1.0
// expect: topo::per_level: this algorithm is not a shape of a tree, so it cannot serve this verb
#include <topomp/collective/broadcast.hpp>

struct ring {}; // an algorithm, but of no tree

void misuse(const topo::hierarchy& levels, std::vector<int>& data) {
    topo::broadcast(levels, data, 0, topo::per_level<topo::otherwise<ring>>{});
}
