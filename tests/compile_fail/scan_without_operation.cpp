// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: the operation is missing, such as std::plus<>{}: scan(levels, elements, op)
#include <topomp/collective/scan.hpp>

void misuse(const topo::hierarchy& levels) { topo::scan(levels, 3); }
