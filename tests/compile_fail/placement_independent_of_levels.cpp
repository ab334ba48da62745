// SPDX-License-Identifier: BSL-1.0
// expect: topo::placement_independent<Policy>: only one tree over all ranks combines in the same way on every
// machine
#include <topomp/collective/all_reduce.hpp>

#include <functional>

using by_level = topo::per_level<topo::on<topo::kind::machine, topo::linear>, topo::otherwise<topo::chain>>;

double misuse(const topo::hierarchy& levels) {
    return topo::all_reduce(levels, 1.0, std::plus<>{}, topo::placement_independent<by_level>{});
}
