// SPDX-License-Identifier: BSL-1.0
// expect: topo: the operation is not commutative, and the policy has a shape that reorders operands
#include <topomp/collective/reduce.hpp>

struct last {
    int operator()(int, int b) const { return b; }
};

void misuse(const topo::hierarchy& levels, int& result) {
    topo::reduce(levels, 1, result, last{}, 0, topo::binary{});
}
