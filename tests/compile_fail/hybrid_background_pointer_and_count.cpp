// SPDX-License-Identifier: BSL-1.0
// expect: topo: a pointer does not say how many elements there are: pass a span, std::span{pointer, count}
#include <topomp/hybrid/iall_reduce.hpp>

#include <functional>

void misuse(const topo::hierarchy& levels, const int* data, topo::shared_window<int>& window) {
    static_cast<void>(topo::hybrid::iall_reduce(levels, data, 100, window, std::plus<>{}));
}
