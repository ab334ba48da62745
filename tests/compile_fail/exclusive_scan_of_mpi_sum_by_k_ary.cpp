// SPDX-License-Identifier: BSL-1.0
// expect: topo: a scan gives each rank what the ranks before it have, also with an operation that is
// commutative
#include <topomp/collective/exclusive_scan.hpp>

void misuse(const topo::hierarchy& levels, int& mine, topo::message result) {
    topo::exclusive_scan(levels, &mine, result, MPI_SUM, topo::k_ary<3>{});
}
