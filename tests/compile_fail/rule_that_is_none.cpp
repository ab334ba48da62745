// SPDX-License-Identifier: BSL-1.0
// expect: topo::per_level: a rule must be on<kind, algorithm> or, as the last, otherwise<algorithm>
#include <topomp/collective/barrier.hpp>

void misuse(const topo::hierarchy& levels) {
    topo::barrier(levels, topo::per_level<topo::linear, topo::otherwise<topo::chain>>{});
}
