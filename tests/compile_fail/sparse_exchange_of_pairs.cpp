// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: sparse_exchange takes a map from ranks, which are integers, to one value each
#include <topomp/neighbour/sparse_exchange.hpp>

#include <utility>
#include <vector>

void misuse(const topo::hierarchy& levels, const std::vector<std::pair<int, double>>& data) {
    topo::sparse_exchange(levels, data);
}
