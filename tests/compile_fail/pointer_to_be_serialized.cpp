// SPDX-License-Identifier: BSL-1.0
// expect: topo: a pointer does not say how many elements there are: pass a span, std::span{pointer, count}
#include <topomp/collective/serialized.hpp>

void misuse(const topo::hierarchy& levels, double* data) { topo::broadcast(levels, data, 0); }
