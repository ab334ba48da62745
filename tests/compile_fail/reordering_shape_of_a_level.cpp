// SPDX-License-Identifier: BSL-1.0
// expect: topo: the operation is not commutative, and the policy has a shape that reorders operands
#include <topomp/collective/all_reduce.hpp>

struct last {
    int operator()(int, int b) const { return b; }
};

using policy = topo::per_level<topo::on<topo::kind::machine, topo::k_ary<3>>, topo::otherwise<topo::chain>>;

int misuse(const topo::hierarchy& levels) {
    return topo::all_reduce(levels, 1, last{}, topo::segmented<1024, policy>{});
}
