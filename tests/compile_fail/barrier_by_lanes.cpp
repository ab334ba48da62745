// SPDX-License-Identifier: BSL-1.0
// expect: serve broadcast, reduce, all_reduce and, if not native, all_gather and reduce_scatter
#include <topomp/collective/barrier.hpp>

void misuse(const topo::hierarchy& levels) { topo::barrier(levels, topo::lanes<>{}); }
