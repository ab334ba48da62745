// SPDX-License-Identifier: BSL-1.0
// expect: topo: this operation, as std::plus<int> of doubles, would cut the elements
#include <topomp/collective/all_reduce.hpp>

#include <functional>

double misuse(const topo::hierarchy& levels, double mine) {
    return topo::all_reduce(levels, mine, std::plus<int>{});
}
