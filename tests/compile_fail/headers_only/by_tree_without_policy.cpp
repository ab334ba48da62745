// SPDX-License-Identifier: BSL-1.0
// expect: include the verb's own header, such as <topomp/collective/broadcast.hpp>
#include <topomp/collective/broadcast_by_tree.hpp>

#include <vector>

void misuse(const topo::hierarchy& levels, std::vector<int>& field) { topo::broadcast(levels, field, 0); }
