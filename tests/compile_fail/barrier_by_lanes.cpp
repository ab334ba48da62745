// SPDX-License-Identifier: BSL-1.0
// expect: lanes serve broadcast, reduce, all_reduce and all_gather
#include <topomp/collective/barrier.hpp>

void misuse(const topo::hierarchy& tree) { topo::barrier(tree, topo::lanes<>{}); }
