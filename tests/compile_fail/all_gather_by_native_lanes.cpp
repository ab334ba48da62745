// SPDX-License-Identifier: BSL-1.0
// expect: if not native, all_gather and reduce_scatter
#include <topomp/collective/all_gather.hpp>

void misuse(const topo::hierarchy& levels) {
    topo::all_gather(levels, 1, topo::lanes<topo::native, topo::native>{});
}
