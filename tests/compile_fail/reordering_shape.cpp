// SPDX-License-Identifier: BSL-1.0
// expect: topo: the operation is not commutative, and the policy has a shape that reorders operands
#include <topomp/collective/reduce.hpp>

struct last {
    int operator()(int, int b) const { return b; }
};

void misuse(const topo::hierarchy& tree, int& result) {
    topo::reduce(tree, 1, result, last{}, 0, topo::binary{});
}
