// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: the buffer of the result is missing, for a verb that does not wait cannot return its result:
// iall_reduce(
#include <topomp/collective/iall_reduce.hpp>

#include <functional>

topo::request misuse(const topo::hierarchy& levels, double mine) {
    return topo::iall_reduce(levels, mine, std::plus<>{}, topo::binomial{});
}
