// SPDX-License-Identifier: BSL-1.0
// expect: topo: a pointer does not say how many elements there are: pass a span, std::span{pointer, count}
#include <topomp/hybrid/scatter_init.hpp>

void misuse(const topo::hierarchy& levels, topo::shared_window<int>& window, int* data) {
    static_cast<void>(topo::hybrid::scatter_init(levels, window, data, 100, 0));
}
