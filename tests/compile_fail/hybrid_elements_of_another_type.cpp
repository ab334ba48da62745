// SPDX-License-Identifier: BSL-1.0
// expect: topo::hybrid::all_reduce: elements and those of the shared_window must be of one type
#include <topomp/hybrid/all_reduce.hpp>

#include <functional>
#include <vector>

void misuse(const topo::hierarchy& levels, const std::vector<float>& mine, topo::shared_window<double>& sum) {
    topo::hybrid::all_reduce(levels, mine, sum, std::plus<>{});
}
