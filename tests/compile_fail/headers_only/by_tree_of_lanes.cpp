// SPDX-License-Identifier: BSL-1.0
// expect: the headers *_by_tree.hpp have the engine of trees alone
#include <topomp/collective/broadcast_by_tree.hpp>

#include <vector>

void misuse(const topo::hierarchy& levels, std::vector<int>& field) {
    topo::broadcast(levels, field, 0, topo::lanes<>{});
}
