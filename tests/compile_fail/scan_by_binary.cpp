// SPDX-License-Identifier: BSL-1.0
// expect: topo: a scan gives each rank what the ranks before it have, also with an operation that is
// commutative
#include <topomp/collective/scan.hpp>

int misuse(const topo::hierarchy& levels) { return topo::scan(levels, 1, std::plus<>{}, topo::binary{}); }
