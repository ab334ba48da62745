// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: the buffer of the result is missing, for a verb that does not wait cannot return its result:
// scan_init(
#include <topomp/collective/scan_init.hpp>

#include <functional>
#include <vector>

topo::persistent misuse(const topo::hierarchy& levels, const std::vector<int>& mine) {
    return topo::scan_init(levels, mine, std::plus<>{});
}
