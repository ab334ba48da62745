// SPDX-License-Identifier: BSL-1.0
// expect: topo::placement_independent: this verb combines nothing
#include <topomp/collective/broadcast.hpp>

void misuse(const topo::hierarchy& levels, int& value) {
    topo::broadcast(levels, value, 0, topo::placement_independent<topo::binomial>{});
}
