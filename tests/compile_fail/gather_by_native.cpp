// SPDX-License-Identifier: BSL-1.0
// expect: native serves barrier, broadcast, reduce, all_reduce and reduce_scatter
#include <topomp/collective/gather.hpp>

void misuse(const topo::hierarchy& levels) { topo::gather(levels, 1, 0, topo::native{}); }
