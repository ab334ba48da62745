// SPDX-License-Identifier: BSL-1.0
// expect: topo: the operation is not commutative, and the policy reorders operands: use a tree, or
// recursive_doubling
#include <topomp/collective/all_reduce.hpp>

struct last {
    int operator()(int, int b) const { return b; }
};

void misuse(const topo::hierarchy& levels) { topo::all_reduce(levels, 1, last{}, topo::rabenseifner{}); }
