// SPDX-License-Identifier: BSL-1.0
// expect: topo: a pointer does not say how many elements there are: pass a span, std::span{pointer, count}
#include <topomp/collective/broadcast.hpp>

void misuse(const topo::hierarchy& levels, int* data) { topo::broadcast(levels, data, 100, 0); }
