// SPDX-License-Identifier: BSL-1.0
// expect: a message is split in two halves between nodes only
#include <topomp/collective/broadcast.hpp>

void misuse(const topo::hierarchy& levels, std::vector<int>& data) {
    topo::broadcast(levels, data, 0, topo::two_levels<topo::two_tree, topo::split_binary>{});
}
