// SPDX-License-Identifier: BSL-1.0
// expect: end the rules with one otherwise<algorithm>
#include <topomp/collective/broadcast.hpp>

void misuse(const topo::hierarchy& levels, std::vector<int>& data) {
    topo::broadcast(levels, data, 0, topo::per_level<topo::on<topo::kind::machine, topo::linear>>{});
}
