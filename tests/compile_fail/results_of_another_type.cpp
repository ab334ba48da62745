// SPDX-License-Identifier: BSL-1.0
// expect: topo::all_reduce: elements and result must be of one type
#include <topomp/collective/all_reduce.hpp>

void misuse(const topo::hierarchy& levels, const std::vector<int>& data, std::vector<long>& result) {
    topo::all_reduce(levels, data, result, std::plus<>{});
}
