// SPDX-License-Identifier: BSL-1.0
// expect: end the rules with one otherwise<algorithm>
#include <topomp/collective/barrier.hpp>

void misuse(const topo::hierarchy& levels) { topo::barrier(levels, topo::per_level<>{}); }
