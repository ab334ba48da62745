// SPDX-License-Identifier: BSL-1.0
// expect: these elements are const
#include <topomp/collective/broadcast.hpp>

void misuse(const topo::hierarchy& levels, const std::vector<int>& data) { topo::broadcast(levels, data, 0); }
