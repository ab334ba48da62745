// SPDX-License-Identifier: BSL-1.0
// expect: topo: this policy has no algorithm for this verb
#include <topomp/collective/barrier.hpp>

void misuse(const topo::hierarchy& levels) { topo::barrier(levels, topo::ring{}); }
