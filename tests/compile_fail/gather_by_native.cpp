// SPDX-License-Identifier: BSL-1.0
// expect: native serves barrier, broadcast, reduce and all_reduce
#include <topomp/collective/gather.hpp>

void misuse(const topo::hierarchy& tree) { topo::gather(tree, 1, 0, topo::native{}); }
