// SPDX-License-Identifier: BSL-1.0
// expect: topo::per_level: otherwise<algorithm> must be the last rule
#include <topomp/collective/barrier.hpp>

void misuse(const topo::hierarchy& levels) {
    topo::barrier(
        levels, topo::per_level<topo::otherwise<topo::chain>, topo::on<topo::kind::machine, topo::linear>>{});
}
