// SPDX-License-Identifier: BSL-1.0
// expect: topo::hierarchical: an algorithm cannot broadcast inside its level
#include <topomp/collective/broadcast.hpp>

void misuse(const topo::hierarchy& levels, std::vector<int>& data) {
    topo::broadcast(levels, data, 0, topo::hierarchical<topo::otherwise<topo::linear>>{});
}
