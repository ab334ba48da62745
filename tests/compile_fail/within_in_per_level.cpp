// SPDX-License-Identifier: BSL-1.0
// expect: topo::per_level: a rule must be on<kind, algorithm>
#include <topomp/collective/broadcast.hpp>

void misuse(const topo::hierarchy& levels, std::vector<int>& data) {
    topo::broadcast(
        levels, data, 0,
        topo::per_level<topo::within<topo::kind::machine, topo::chain>, topo::otherwise<topo::linear>>{});
}
