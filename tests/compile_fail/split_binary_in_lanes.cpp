// SPDX-License-Identifier: BSL-1.0
// expect: topo::lanes<Along, Inside>: both must be shapes
#include <topomp/collective/broadcast.hpp>

void misuse(const topo::hierarchy& tree, std::vector<int>& data) {
    topo::broadcast(tree, data, 0, topo::lanes<topo::split_binary>{});
}
