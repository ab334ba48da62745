// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: the operation is missing, such as std::plus<>{}: reduce_scatter(levels, elements, op)
#include <topomp/collective/reduce_scatter.hpp>

#include <vector>

void misuse(const topo::hierarchy& levels, const std::vector<double>& mine, const std::vector<int>& counts,
            std::vector<double>& sum) {
    topo::reduce_scatter(levels, mine, counts, sum);
}
