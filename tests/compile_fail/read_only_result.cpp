// SPDX-License-Identifier: BSL-1.0
// expect: writable_buffer
#include <topomp/collective/broadcast.hpp>

void misuse(const topo::hierarchy& tree, const std::vector<int>& data) { topo::broadcast(tree, data, 0); }
