// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: sparse_exchange cannot send values of this type: a pointer, a span or another view
#include <topomp/neighbour/sparse_exchange.hpp>

#include <map>
#include <span>

void misuse(const topo::hierarchy& levels, const std::map<int, std::span<double>>& data) {
    topo::sparse_exchange(levels, data);
}
