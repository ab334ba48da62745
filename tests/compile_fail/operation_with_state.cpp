// SPDX-License-Identifier: BSL-1.0
// expect: topo: an operation must be a function object without state
#include <topomp/collective/all_reduce.hpp>

int misuse(const topo::hierarchy& levels, int factor) {
    return topo::all_reduce(
        levels, 1, [factor](int a, int b) { return a + factor * b; }, topo::chain{});
}
