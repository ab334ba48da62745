// SPDX-License-Identifier: BSL-1.0
// expect: inside nodes halves have no ways of their own
#include <topomp/collective/broadcast.hpp>

void misuse(const topo::hierarchy& tree, std::vector<int>& data) {
    topo::broadcast(tree, data, 0, topo::two_levels<topo::double_binary, topo::split_binary>{});
}
