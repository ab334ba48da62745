// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: counts stand behind the elements that they divide, before the result
#include <topomp/collective/reduce_scatter.hpp>

#include <functional>
#include <vector>

void misuse(const topo::hierarchy& levels, const std::vector<double>& mine, const std::vector<int>& counts,
            std::vector<double>& sum) {
    topo::reduce_scatter(levels, mine, sum, counts, std::plus<>{});
}
