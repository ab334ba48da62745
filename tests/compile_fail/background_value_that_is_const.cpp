// SPDX-License-Identifier: BSL-1.0
// expect: topo: this value is const, and something is to be received into it
#include <topomp/collective/ibroadcast.hpp>

void misuse(const topo::hierarchy& levels, const double& value) { topo::ibroadcast(levels, value, 0); }
