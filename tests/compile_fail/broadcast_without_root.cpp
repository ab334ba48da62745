// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: the root is missing, the rank whose data all get: broadcast(levels, data, root)
#include <topomp/collective/broadcast.hpp>

#include <vector>

void misuse(const topo::hierarchy& levels, std::vector<double>& numbers) { topo::broadcast(levels, numbers); }
