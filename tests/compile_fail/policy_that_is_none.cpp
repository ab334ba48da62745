// SPDX-License-Identifier: BSL-1.0
// expect: topo: the last argument of a verb is a policy, a type that says how its data moves
#include <topomp/collective/barrier.hpp>

struct ring {}; // not topo::ring

void misuse(const topo::hierarchy& levels) { topo::barrier(levels, ring{}); }
