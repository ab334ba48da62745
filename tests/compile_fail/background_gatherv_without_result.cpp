// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: the buffer of the result or the root is missing, and a verb that does not wait cannot return
// its result: igatherv(
#include <topomp/collective/igatherv.hpp>

#include <vector>

topo::request misuse(const topo::hierarchy& levels, const std::vector<int>& mine) {
    return topo::igatherv(levels, mine, 0);
}
