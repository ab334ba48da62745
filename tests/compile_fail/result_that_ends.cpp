// SPDX-License-Identifier: BSL-1.0
// expect: topo: this verb fills a buffer that ends with the call, so that the result could not be read
#include <topomp/collective/broadcast.hpp>

void misuse(const topo::hierarchy& levels) { topo::broadcast(levels, std::vector<int>(3), 0); }
