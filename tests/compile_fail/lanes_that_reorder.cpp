// SPDX-License-Identifier: BSL-1.0
// expect: topo: the operation is not commutative, and the policy has a shape that reorders operands
#include <topomp/collective/all_reduce.hpp>

struct last {
    int operator()(int, int b) const { return b; }
};

int misuse(const topo::hierarchy& levels) {
    return topo::all_reduce(levels, 1, last{},
                            topo::segmented<4096, topo::lanes<topo::chain, topo::binary>>{});
}
