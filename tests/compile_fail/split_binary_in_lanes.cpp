// SPDX-License-Identifier: BSL-1.0
// expect: topo::lanes<Along, Inside>: along a lane and inside a node data moves along trees
#include <topomp/collective/broadcast.hpp>

void misuse(const topo::hierarchy& tree, std::vector<int>& data) {
    topo::broadcast(tree, data, 0, topo::lanes<topo::split_binary>{});
}
