// SPDX-License-Identifier: BSL-1.0
// expect: this policy has no algorithm for this verb
#include <topomp/collective/gather.hpp>

void misuse(const topo::hierarchy& levels) { topo::gather(levels, 1, 0, topo::native{}); }
