// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: topo: a hybrid verb takes a hybrid policy, whose argument is the policy between nodes
#include <topomp/hybrid/all_reduce.hpp>

#include <functional>
#include <vector>

void misuse(const topo::hierarchy& levels, const std::vector<double>& mine,
            topo::shared_window<double>& sum) {
    topo::hybrid::all_reduce(levels, mine, sum, std::plus<>{}, topo::binomial{});
}
