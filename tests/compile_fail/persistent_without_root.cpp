// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: the root is missing, the rank whose data all get: broadcast_init(levels, data, root)
#include <topomp/collective/broadcast_init.hpp>

topo::persistent misuse(const topo::hierarchy& levels, int& value) {
    return topo::broadcast_init(levels, value);
}
