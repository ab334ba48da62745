// SPDX-License-Identifier: BSL-1.0
// expect: topo: the buffer of the result is missing, for a verb that does not wait cannot return its result:
// igatherv(
// errors: 1
#include <topomp/collective/igatherv.hpp>

#include <vector>

topo::request misuse(const topo::hierarchy& levels, const std::vector<int>& mine) {
    return topo::igatherv(levels, mine, 0);
}
