// SPDX-License-Identifier: BSL-1.0
// expect: split_binary and two_tree serve broadcast
#include <topomp/collective/reduce.hpp>

void misuse(const topo::hierarchy& levels, int& result) {
    topo::reduce(
        levels, 1, result, std::plus<>{}, 0,
        topo::per_level<topo::on<topo::kind::machine, topo::linear>, topo::otherwise<topo::split_binary>>{});
}
