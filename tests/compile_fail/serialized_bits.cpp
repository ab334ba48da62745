// SPDX-License-Identifier: BSL-1.0
// expect: topo: a std::vector<bool> holds bits, which MPI cannot move
#include <topomp/collective/serialized.hpp>

#include <vector>

void misuse(const topo::hierarchy& levels, std::vector<bool>& flags) { topo::broadcast(levels, flags, 0); }
