// SPDX-License-Identifier: BSL-1.0
// expect: rabenseifner serves all_reduce and reduce
#include <topomp/collective/broadcast.hpp>

void misuse(const topo::hierarchy& levels, int& value) {
    topo::broadcast(levels, value, 0, topo::rabenseifner{});
}
