// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo::reproducible: sums of float or double by reduce, all_reduce
#include <topomp/collective/all_reduce_init.hpp>
#include <topomp/collective/reproducible.hpp>

#include <vector>

topo::persistent misuse(const topo::hierarchy& levels, const std::vector<int>& mine, std::vector<int>& sum) {
    return topo::all_reduce_init(levels, mine, sum, topo::reproducible{});
}
