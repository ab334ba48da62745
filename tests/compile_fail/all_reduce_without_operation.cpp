// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: the operation is missing, such as std::plus<>{}: all_reduce(levels, elements, op)
#include <topomp/collective/all_reduce.hpp>

#include <vector>

void misuse(const topo::hierarchy& levels, const std::vector<double>& mine, std::vector<double>& sum) {
    topo::all_reduce(levels, mine, sum);
}
