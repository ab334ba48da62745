// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: the window of the result is missing, for a verb that does not wait cannot return its result:
// hybrid::iall_reduce(
#include <topomp/hybrid/iall_reduce.hpp>

#include <functional>
#include <vector>

topo::request misuse(const topo::hierarchy& levels, const std::vector<int>& mine) {
    return topo::hybrid::iall_reduce(levels, mine, std::plus<>{}, topo::hybrid::policy<>{});
}
