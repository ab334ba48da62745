// SPDX-License-Identifier: BSL-1.0
// expect: lanes serve broadcast, reduce
#include <topomp/collective/barrier.hpp>

void misuse(const topo::hierarchy& tree) { topo::barrier(tree, topo::lanes<>{}); }
