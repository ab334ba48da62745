// SPDX-License-Identifier: BSL-1.0
// expect: topo::hierarchical: an algorithm has no barrier inside its level
#include <topomp/collective/barrier.hpp>

struct broadcaster {
    static void broadcast(topo::level_members&, topo::message, int);
};

void misuse(const topo::hierarchy& levels) {
    topo::barrier(levels, topo::hierarchical<topo::otherwise<broadcaster>>{});
}
