// SPDX-License-Identifier: BSL-1.0
// expect: topo::lanes<Along, Inside>: both must be shapes
#include <topomp/collective/broadcast.hpp>

void misuse(const topo::hierarchy& levels, std::vector<int>& data) {
    topo::broadcast(levels, data, 0, topo::lanes<topo::split_binary>{});
}
