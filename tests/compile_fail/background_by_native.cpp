// SPDX-License-Identifier: BSL-1.0
// expect: topo: this policy cannot serve a non-blocking verb
#include <topomp/collective/ibarrier.hpp>

topo::request misuse(const topo::hierarchy& levels) { return topo::ibarrier(levels, topo::native{}); }
