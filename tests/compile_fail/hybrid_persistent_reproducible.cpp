// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo::reproducible: sums of float or double by reduce, all_reduce
#include <topomp/collective/reproducible.hpp>
#include <topomp/hybrid/all_reduce_init.hpp>
#include <topomp/memory/shared_window.hpp>

#include <vector>

topo::persistent misuse(const topo::hierarchy& levels, const std::vector<double>& mine,
                        topo::shared_window<double>& sum) {
    return topo::hybrid::all_reduce_init(levels, mine, sum, topo::reproducible{});
}
